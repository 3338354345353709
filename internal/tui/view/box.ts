// A box around lines. Its upper edge has a title at the left and a note at the right.
import type { Pen, RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { penOfLook } from './look-pen.ts'

/** Number of cells that edges and spaces of the box take from a line. */
export const boxCells = 4

interface BoxEdge {
  title: string
  note?: string
  /** Largest number of rows of the title, so that a long one leaves room for the lines. Default: 3. */
  titleRows?: number | undefined
}

/**
 * Returns the rows of the box. Lines must be sanitized and at most `look.width - boxCells` cells wide. They
 * may have styles.
 */
export function drawTitledBox(
  lines: readonly string[],
  { title, note = '', titleRows = usualTitleRows }: BoxEdge,
  look: RenderLook,
): string[] {
  const pen = penOfLook(look)
  const b = pen.glyphs.borders.single
  const inner = look.width - boxCells
  const right = note === '' ? '' : ` ${pen.clip(note, Math.max(0, inner - 4))} ${b.top}`
  const [first = '', ...others] = breakTitle(title, { inner, taken: pen.cells(right), max: titleRows }, pen)
  const left = ` ${first} `
  const rule = Math.max(0, look.width - 2 - pen.cells(left) - pen.cells(right))
  const dim = pen.paint({ dim: true })
  const top = dim(b.topLeft) + pen.paint({ bold: true })(left) + dim(b.top.repeat(rule) + right + b.topRight)
  const body = [...others.map(pen.paint({ bold: true })), ...lines].map((line) => {
    const free = Math.max(0, inner - pen.cells(stripStyles(line)))
    return `${dim(b.side)} ${line}${' '.repeat(free)} ${dim(b.side)}`
  })
  return [top, ...body, dim(b.bottomLeft + b.top.repeat(look.width - 2) + b.bottomRight)]
}

const usualTitleRows = 3

/**
 * Returns the rows of the title, at most `max`: one for the upper edge, next to `takenCells` cells of the
 * note, and further ones if the words of the title have no room there.
 */
function breakTitle(
  title: string,
  { inner, taken: takenCells, max }: { inner: number; taken: number; max: number },
  pen: Pen,
): string[] {
  const text = sanitizeText(title)
  const room = Math.max(1, inner - takenCells)
  if (pen.cells(text) <= room || max === 1) return [pen.clip(text, room)]
  const [first = '', ...others] = pen.wrap(text, room)
  const rest = others.length === 0 ? [] : pen.wrap(others.join(' '), inner)
  return [first, ...limitRows(rest, max - 1, inner, pen)]
}

/** Returns at most `max` rows. If rows are omitted, the last one ends with an ellipsis in their place. */
export const limitRows = (rows: readonly string[], max: number, width: number, pen: Pen): string[] =>
  rows.length <= max ? [...rows] : [...rows.slice(0, max - 1), pen.clip(rows.slice(max - 1).join(' '), width)]

/** A note as wide as a position in a text of several pages. */
const wideNote = 'lines 999-999 of 999'

/** Returns the number of rows that a box needs for its title below the upper edge. */
export function countTitleRows(
  { title, note = wideNote, titleRows: max = usualTitleRows }: BoxEdge,
  look: RenderLook,
): number {
  const pen = penOfLook(look)
  const inner = look.width - boxCells
  const right = note === '' ? 0 : pen.cells(` ${pen.clip(note, Math.max(0, inner - 4))} `) + 1
  return breakTitle(title, { inner, taken: right, max }, pen).length - 1
}

/** Returns the line without its styles. */
export const stripStyles = (line: string): string => line.replace(/\x1b\[[\d;]*m/g, '')
