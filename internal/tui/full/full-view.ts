// What the full screen shows of a conversation: a window over its lines that follows their end until somebody
// scrolls. Pure.
import { countNoun } from '../../base/text/count-noun.ts'

export interface FullView {
  /** The first line shown; where `follows` it moves on with the end. */
  readonly top: number
  readonly follows: boolean
  /** Lines that there were when somebody scrolled away from the end. */
  readonly seen: number
}

export const openFullView: FullView = { top: 0, follows: true, seen: 0 }

/** So many parts of the window stay free when its end moves up: each move draws every row again. */
const jump = 5

/** The window over so many lines. `isStill`: nothing more is coming, so that no room is kept for it. */
export function fitFullView(view: FullView, total: number, height: number, isStill: boolean): FullView {
  const last = Math.max(0, total - height)
  if (!view.follows) {
    const top = Math.min(view.top, last)
    return top === last ? { ...openFullView, top } : top === view.top ? view : { ...view, top }
  }
  const isInside = view.top >= last && view.top <= last + Math.floor(height / jump)
  if (isInside || total <= height) return total <= height ? { ...view, top: 0 } : view
  return { ...view, top: isStill ? last : last + Math.floor(height / jump) }
}

/** By so many lines; at the end it follows again. */
export function scrollFullView(view: FullView, lines: number, total: number, height: number): FullView {
  const last = Math.max(0, total - height)
  const top = Math.max(0, Math.min(Math.min(view.top, last) + lines, last))
  if (top === last) return { ...openFullView, top }
  return { top, follows: false, seen: view.follows ? total : view.seen }
}

/** What came since somebody scrolled away, and the key back. */
export function describeNewLines({ follows, seen }: FullView, total: number): string {
  if (follows) return ''
  const count = Math.max(0, total - seen)
  return count === 0 ? 'End goes to the end' : `${countNoun(count, 'new line')}, End`
}
