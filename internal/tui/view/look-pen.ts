// The pen of a look, made once, and what all views of a session draw with: the left margin and folded rows.
import { countNoun } from '../../base/text/count-noun.ts'
import { makePen, type Pen, type RenderLook } from '../../render/pen.ts'

const pens = new WeakMap<RenderLook, Pen>()

/** Screens keep one look until the terminal changes: so its pen is kept as well. */
export function penOfLook(look: RenderLook): Pen {
  const known = pens.get(look)
  if (known) return known
  const pen = makePen(look)
  pens.set(look, pen)
  return pen
}

/** The program's own words where the terminal has ASCII alone. */
export const adaptEllipsis = (text: string, { glyphs }: Pick<Pen, 'glyphs'>): string =>
  text.replaceAll('…', glyphs.ellipsis)

/** Everything of a conversation stands one cell in from the left. */
export const margin = 1

export const indentLines = (lines: readonly string[], cells = margin): string[] =>
  lines.map((line) => (line === '' ? '' : ' '.repeat(cells) + line))

const narrowed = new WeakMap<RenderLook, Map<number, RenderLook>>()

/** The same look with fewer cells, one object for each number of them. */
export function narrowLook(look: RenderLook, cells: number): RenderLook {
  const byCells = narrowed.get(look) ?? new Map<number, RenderLook>()
  narrowed.set(look, byCells)
  const known = byCells.get(cells)
  if (known) return known
  const narrow = { ...look, width: Math.max(1, look.width - cells) }
  byCells.set(cells, narrow)
  return narrow
}

/** The first rows and how many follow; `look.all` shows all of them. */
export function foldRows(rows: readonly string[], max: number, pen: Pen): string[] {
  if (pen.look.all || rows.length <= max + 1) return [...rows]
  const more = `${pen.glyphs.ellipsis} ${countNoun(rows.length - max, 'more line')}`
  return [...rows.slice(0, max), pen.paint({ dim: true })(pen.clip(more, pen.look.width))]
}

/** Left and right part on one line; the right one stays whole when both have no room. */
export function spreadLine(left: string, right: string, width: number, pen: Pen): string {
  const end = pen.clip(right, width)
  const room = width - pen.cells(end) - 2
  if (room < 1) return end
  const start = pen.clip(left, room)
  return start + ' '.repeat(width - pen.cells(start) - pen.cells(end)) + end
}
