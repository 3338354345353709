// A page of lines that are scrolled.
import type { RenderLook } from '../../render/pen.ts'
import { indentLines, margin, narrowLook } from '../view/look-pen.ts'
import { framePage, isClosingKey, type LivePage } from './live-page.ts'

/**
 * `read` gives the lines as they are now, none wider than the look that it is given. `finished` is told when
 * all of them were shown, none passed over.
 */
export function createTextPage(
  read: (look: RenderLook) => readonly string[],
  finished?: () => void,
): LivePage {
  let top = 0
  let height = 1
  let count = 0
  /** So many lines from the first were shown, of so many at this width. */
  let seen = { lines: 0, count: 0, width: 0 }
  return {
    draw(look, rows) {
      const lines = indentLines(read(narrowLook(look, margin)))
      height = Math.max(1, rows - 1)
      count = lines.length
      top = Math.max(0, Math.min(top, count - height))
      if (seen.count !== count || seen.width !== look.width) seen = { lines: 0, count, width: look.width }
      if (top <= seen.lines) seen.lines = Math.max(seen.lines, top + height)
      if (seen.lines >= count) finished?.()
      const shown = lines.slice(top, top + height)
      const place = `lines ${Math.min(top + 1, count)}-${top + shown.length} of ${count}`
      return framePage(shown, `${place}  Space next  b before  Esc back`, look, rows)
    },
    press(press) {
      if (isClosingKey(press)) return false
      const steps: Readonly<Record<string, number>> = {
        ...{ up: -1, k: -1, down: 1, j: 1, pageup: 1 - height, b: 1 - height, pagedown: height - 1 },
        ...{ space: height - 1, home: -count, g: -count, end: count, G: count },
      }
      top += steps[press.key] ?? 0
      return true
    },
  }
}

/** The same for lines that do not change: they are made once for each width. */
export function createFixedPage(
  make: (look: RenderLook) => readonly string[],
  finished?: () => void,
): LivePage {
  let made: { look: RenderLook; lines: readonly string[] } | undefined
  return createTextPage((look) => {
    if (made?.look.width !== look.width || made.look.color !== look.color) made = { look, lines: make(look) }
    return made.lines
  }, finished)
}
