// Draws the screen again while something on it changes by itself.
import type { LiveScreen } from '../terminal/live-screen.ts'
import type { InlineState } from './inline-state.ts'
import { openNextDialog } from './trust-offer.ts'

/** The time of what is under way is shown; without it no timer runs. */
const redrawMs = 500

/** Something is shown that changes by itself. */
const isMoving = ({
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
  (dialog === undefined && (trustOffer !== undefined || view.waits.length + view.questions.length > 0))

/** Draws again while something is shown that changes by itself, and opens what waits once no key is typed. */
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
