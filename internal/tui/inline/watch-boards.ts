// The choice of the boards that a screen follows: of its command, and of experiments by the model.
import type { InlineState } from './inline-state.ts'

/** Tools with which a model measures experiments. */
const experimentTools: ReadonlySet<string> = new Set(['init_experiment', 'run_experiment', 'log_experiment'])

/** Updates the followed boards. Call it when a command or a tool call starts or ends. */
export function watchBoards(state: InlineState): void {
  const {
    screen: { verb },
    conversation: { view },
  } = state
  const wanted = {
    study: verb?.name === 'study' ? verb.since : undefined,
    experiment: verb?.name === 'research' || view.calls.some(({ tool }) => experimentTools.has(tool)),
  }
  if (state.overlays.boards) state.overlays.boards.follow(wanted)
  else if (wanted.study !== undefined || wanted.experiment) void openBoards(state).catch(() => undefined)
}

/** Opens the boards. Their module is loaded with the first one. */
async function openBoards(state: InlineState): Promise<void> {
  const { openBoardFollower } = await import('../board/board-follower.ts')
  if (state.overlays.boards) return
  state.overlays.boards = openBoardFollower(state.conversation.client, () => state.screen.changed())
  watchBoards(state)
}
