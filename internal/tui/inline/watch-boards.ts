// Decides which boards a screen follows: of a command that it runs, and of experiments that a model makes.
import type { InlineState } from './inline-state.ts'

/** Calls that measure. */
const experimentTools: ReadonlySet<string> = new Set(['init_experiment', 'run_experiment', 'log_experiment'])

/** To be called whenever a command of the program begins or ends, and when calls do. */
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

/** What draws boards is loaded with the first one. */
async function openBoards(state: InlineState): Promise<void> {
  const { openBoardFollower } = await import('../board/board-follower.ts')
  if (state.overlays.boards) return
  state.overlays.boards = openBoardFollower(state.conversation.client, () => state.screen.changed())
  watchBoards(state)
}
