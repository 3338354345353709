// The pen (drawing functions) for a look, and the layout that session views share: margin, folded rows, and
// lines with a left and a right part.
import { countNoun } from '../../base/text/count-noun.ts'
import { makePen, type Pen, type RenderLook } from '../../render/pen.ts'

const pens = new WeakMap<RenderLook, Pen>()

/**
 * Returns the cached pen for a look. A screen keeps one look until the width of the terminal, the theme or
 * the pane changes.
 */
export function penOfLook(look: RenderLook): Pen {
  const cachedPen = pens.get(look)
  if (cachedPen) return cachedPen
  const pen = makePen(look)
  pens.set(look, pen)
  return pen
}

/** Returns the text with the form of ellipsis that the terminal supports. */
export const adaptEllipsis = (text: string, { glyphs }: Pick<Pen, 'glyphs'>): string =>
  text.replaceAll('…', glyphs.ellipsis)

/** Width in cells of the left margin of a conversation. */
export const margin = 1

export const indentLines = (lines: readonly string[], cells = margin): string[] =>
  lines.map((line) => (line === '' ? '' : ' '.repeat(cells) + line))

const narrowed = new WeakMap<RenderLook, Map<number, RenderLook>>()

/**
 * Returns the look with its width reduced by `cells`, to at least 1. The same arguments return
 * the same object.
 */
export function narrowLook(look: RenderLook, cells: number): RenderLook {
  const byCells = narrowed.get(look) ?? new Map<number, RenderLook>()
  narrowed.set(look, byCells)
  const cachedLook = byCells.get(cells)
  if (cachedLook) return cachedLook
  const narrow = { ...look, width: Math.max(1, look.width - cells) }
  byCells.set(cells, narrow)
  return narrow
}

/**
 * Returns the first `max` rows and a row with the number of omitted rows. With `look.all`, or if only one row
 * would be omitted, returns all rows.
 */
export function foldRows(rows: readonly string[], max: number, pen: Pen): string[] {
  if (pen.look.all || rows.length <= max + 1) return [...rows]
  const more = `${pen.glyphs.ellipsis} ${countNoun(rows.length - max, 'more line')}`
  return [...rows.slice(0, max), pen.paint({ dim: true })(pen.clip(more, pen.look.width))]
}

/**
 * Returns both parts on one line. If both do not have room, the left part is cut, or omitted if no cell is
 * left. The right part is cut only if it is wider than the line.
 */
export function spreadLine(left: string, right: string, width: number, pen: Pen): string {
  const end = pen.clip(right, width)
  const room = width - pen.cells(end) - 2
  if (room < 1) return end
  const start = pen.clip(left, room)
  return start + ' '.repeat(width - pen.cells(start) - pen.cells(end)) + end
}
