// A scrollable page of text lines.
import type { RenderLook } from '../../render/pen.ts'
import type { LazyList } from '../terminal/lazy-list.ts'
import { describeLength } from '../terminal/pager.ts'
import { indentLines, margin, narrowLook } from '../view/look-pen.ts'
import { framePage, isClosingKey, type LivePage } from './live-page.ts'

/** A line number that is larger than that of any page. */
const farthest = Number.MAX_SAFE_INTEGER

/** Lines that exist already, or a list whose lines are made as the user scrolls. */
type PageLines = readonly string[] | LazyList<string>

/**
 * Creates a page of text. `read` returns the current lines, each at most as wide as `look` allows. Once all
 * lines have been shown from the start without a gap, every drawing calls `finished`.
 */
export function createTextPage(read: (look: RenderLook) => PageLines, finished?: () => void): LivePage {
  let top = 0
  let height = 1
  /**
   * Number of lines that were shown from the start without a gap, with the lines and the width to which
   * this number applies.
   */
  let seenPart: { lines: number; of: number | PageLines; width: number } = { lines: 0, of: 0, width: 0 }
  return {
    draw(look, rows) {
      const lines = read(narrowLook(look, margin))
      height = Math.max(1, rows - 1)
      top = Math.max(0, lines.at(top + height - 1) === undefined ? Math.min(top, lines.length - height) : top)
      const of = 'isWhole' in lines ? lines : lines.length
      if (seenPart.of !== of || seenPart.width !== look.width) seenPart = { lines: 0, of, width: look.width }
      if (top <= seenPart.lines) seenPart.lines = Math.max(seenPart.lines, top + height)
      if (lines.at(seenPart.lines) === undefined) finished?.()
      const visibleLines = indentLines(lines.slice(top, top + height))
      const first = Math.min(top + 1, lines.length)
      const place = `lines ${first}-${top + visibleLines.length} of ${describeLength(lines)}`
      return framePage(visibleLines, `${place}  Space next  b before  Esc back`, look, rows)
    },
    press(press) {
      if (isClosingKey(press)) return false
      const steps: Readonly<Record<string, number>> = {
        up: -1,
        k: -1,
        down: 1,
        j: 1,
        pageup: 1 - height,
        b: 1 - height,
        pagedown: height - 1,
        space: height - 1,
        home: -farthest,
        g: -farthest,
        end: farthest,
        G: farthest,
      }
      top += steps[press.key] ?? 0
      return true
    },
  }
}

/**
 * Creates a page whose lines do not change. They are made anew only for another width or color depth
 * of the screen.
 */
export function createFixedPage(make: (look: RenderLook) => PageLines, finished?: () => void): LivePage {
  let cache: { look: RenderLook; lines: PageLines } | undefined
  return createTextPage((look) => {
    if (cache?.look.width !== look.width || cache.look.color !== look.color)
      cache = { look, lines: make(look) }
    return cache.lines
  }, finished)
}
