// The choice of the boards (studies and experiments) that a screen follows: those that its commands start,
// and experiments of the model.

import { openBoardFollower } from '../board/board-follower.ts'
import type { InlineState } from './inline-state.ts'

/** Tools with which a model measures experiments. */
const experimentTools: ReadonlySet<string> = new Set(['init_experiment', 'run_experiment', 'log_experiment'])

/** Updates the boards that the screen follows. Call it when a command or a tool call starts or ends. */
export function watchBoards(state: InlineState): void {
  const {
    screen: { verb },
    conversation: { view },
  } = state
  const topics = {
    study: verb?.name === 'study' ? verb.since : undefined,
    experiment: verb?.name === 'research' || view.calls.some(({ tool }) => experimentTools.has(tool)),
  }
  if (state.overlays.boards) state.overlays.boards.follow(topics)
  else if (topics.study !== undefined || topics.experiment) void openBoards(state).catch(() => undefined)
}

async function openBoards(state: InlineState): Promise<void> {
  if (state.overlays.boards) return
  state.overlays.boards = openBoardFollower(state.conversation.client, () => state.screen.changed())
  watchBoards(state)
}
