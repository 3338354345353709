// The visible window over the lines of a conversation. It follows the end of the lines until the user scrolls
// away. The functions are pure.
import { countNoun } from '../../base/text/count-noun.ts'

export interface FullView {
  /** Index of the first visible line. While `follows` is true, the index moves with the end. */
  readonly top: number
  readonly follows: boolean
  /** Number of lines at the time when the user scrolled away from the end. */
  readonly seen: number
}

export const openFullView: FullView = { top: 0, follows: true, seen: 0 }

/**
 * After an automatic scroll, as many rows stay free below the last line as the window's height divided by
 * this number. Each scroll draws every row again, so free rows make scrolls rare.
 */
const jump = 5

/**
 * Returns the window for `total` lines. `isStill` means that no further lines are expected, so that no rows
 * stay free below them.
 */
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

/**
 * Returns the window after scrolling by `lines`. A window that reaches the end of the lines follows
 * the end again.
 */
export function scrollFullView(view: FullView, lines: number, total: number, height: number): FullView {
  const last = Math.max(0, total - height)
  const top = Math.max(0, Math.min(Math.min(view.top, last) + lines, last))
  if (top === last) return { ...openFullView, top }
  return { top, follows: false, seen: view.follows ? total : view.seen }
}

/**
 * Returns a text with the number of new lines since the user scrolled away and the key that returns to the
 * end; without new lines, only that key. Returns an empty text while the window follows the end.
 */
export function describeNewLines({ follows, seen: seenCount }: FullView, total: number): string {
  if (follows) return ''
  const count = Math.max(0, total - seenCount)
  return count === 0 ? 'End goes to the end' : `${countNoun(count, 'new line')}, End`
}
