// The timer that redraws the screen while its content changes by itself.
import { waitsForUser } from '../../session/view/session-view.ts'
import type { LiveScreen } from '../terminal/live-screen.ts'
import type { InlineState } from './inline-state.ts'
import { openNextDialog } from './trust-offer.ts'

/** Time in milliseconds between redraws while the content of the screen changes by itself. */
const redrawMs = 500

/**
 * Returns true if the screen shows content that changes by itself, such as an elapsed time or a hint, or if a
 * dialog waits until the user stops typing.
 */
export const isMoving = ({
  conversation: { view, sending },
  hints: { hint },
  overlays: { dialog, trustOffer },
  screen: { verb },
}: InlineState) =>
  view.run !== undefined ||
  verb !== undefined ||
  view.jobs.length > 0 ||
  sending !== undefined ||
  view.calls.length > 0 ||
  hint !== undefined ||
  (dialog === undefined && (trustOffer !== undefined || waitsForUser(view)))

/**
 * Returns the timer of redraws. `keep`, called after every change, starts it. As long as content changes by
 * itself, the timer redraws at intervals, and opens a pending dialog once the user stops typing. After `stop`
 * it does not start again.
 */
export function openRedrawTimer(state: InlineState, screen: LiveScreen): { keep(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const keep = () => {
    if (timer !== undefined || isStopped || !isMoving(state)) return
    timer = setTimeout(() => {
      timer = undefined
      if (state.hints.hint && state.hints.hint.until <= Date.now()) state.hints.hint = undefined
      openNextDialog(state, false)
      screen.changed()
      keep()
    }, redrawMs)
  }
  return {
    keep,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
