// Tables: column widths from one pass over the cells, rows with borders, and records if the columns
// do not fit.

import { countNoun } from '../base/text/count-noun.ts'
import { hangText, type Pen, type RenderedLine } from './pen.ts'
import type { TextPainter, TextStyle } from './text/color.ts'
import type { BorderStyle } from './text/glyphs.ts'

export interface TableColumn {
  header: string
  /**
   * Width of the column in cells without borders; less if the table does not fit. Longer texts are cut or
   * wrapped. Default: the width of the widest header or cell.
   */
  width?: number | undefined
  align: 'left' | 'center' | 'right'
}

export interface RenderedTable {
  columns: readonly TableColumn[]
  /** Rows with one text for each column. An empty text means that the value is missing. */
  rows: readonly (readonly string[])[]
  borderStyle: BorderStyle
  headerColor?: string | undefined
  backgroundColor?: string | undefined
  /** True if long cells wrap to several lines; otherwise they are cut. */
  wraps?: boolean
}

interface DrawnTable {
  lines: RenderedLine[]
  /** Number of rows in the middle that are not shown. */
  hidden: number
}

/**
 * Number of table cells, rounded up to whole rows from the first one on, that are measured to find the
 * natural widths of the columns. A wider text in a later row is cut or wrapped.
 */
const scanned = 100_000
/**
 * Largest number of rows that are all shown. Of more rows, only the first `headRows` and the last `tailRows`
 * are shown, unless `look.all` is set.
 */
const limit = 200
const headRows = 100
const tailRows = 20
/**
 * Smallest width in cells to which a wider column is reduced. If the columns do not fit even then, rows are
 * shown as records.
 */
const narrow = 4
/**
 * Largest width in terminal cells that a column keeps so that its longest word is not broken. Longer words
 * are usually paths and URLs.
 */
const wordCells = 24

export function drawTable(table: RenderedTable, width: number, pen: Pen): DrawnTable {
  const hidden = hiddenRows(table.rows.length, pen)
  const widths = shrinkWidths(
    measureColumns(table, pen),
    floorsOf(table, pen),
    width - frameWidthFor(table.columns.length),
  )
  const lines = widths ? drawGrid(table, widths, hidden, pen) : drawRecords(table, hidden, width, pen)
  return { lines: paintBackground(lines, table.backgroundColor, pen), hidden }
}

/** Returns how many rows in the middle of the table are hidden. */
export function hiddenRows(count: number, pen: Pen): number {
  return pen.look.all || count <= limit ? 0 : count - headRows - tailRows
}

/** Returns whether row `i` is hidden. */
export function isHidden(i: number, hidden: number): boolean {
  return i >= headRows && i < headRows + hidden
}

/** Returns the text that is shown in place of the hidden rows. */
export function moreRows(hidden: number, pen: Pen): string {
  return `${pen.glyphs.ellipsis} ${countNoun(hidden, 'more row')}`
}

/** Returns the width of the whole table, in terminal cells, if no column is reduced. */
export function tableWidth(table: RenderedTable, pen: Pen): number {
  return measureColumns(table, pen).reduce((sum, size) => sum + size, frameWidthFor(table.columns.length))
}

/** Returns the width, in terminal cells, of all borders in a row and the spaces next to them. */
const frameWidthFor = (columns: number) => 3 * columns + 1

function measureColumns({ columns, rows }: RenderedTable, pen: Pen): number[] {
  const widths = columns.map((column) => column.width ?? pen.cells(column.header))
  const open = columns.flatMap((column, i) => (column.width === undefined ? [i] : []))
  const count = Math.min(rows.length, Math.ceil(scanned / columns.length))
  for (let r = 0; r < count; r++) {
    const row = rows[r] as readonly string[]
    for (const i of open) {
      const text = row[i] as string
      // A UTF-16 code unit takes at most two cells, so a shorter text need not be measured.
      if (text.length * 2 > (widths[i] as number)) widths[i] = Math.max(widths[i] as number, pen.cells(text))
    }
  }
  return widths.map((size) => Math.max(1, size))
}

/**
 * Returns the smallest width to which each column may be reduced. If cells wrap, a column keeps room for its
 * longest word, but not more than `wordCells`.
 */
function floorsOf({ columns, rows, wraps = false }: RenderedTable, pen: Pen): number[] {
  const floors = columns.map(() => narrow)
  if (!wraps) return floors
  const count = Math.min(rows.length, Math.ceil(scanned / columns.length))
  for (const [i, { header }] of columns.entries())
    for (let r = -1; r < count; r++)
      for (const word of (r < 0 ? header : (rows[r]?.[i] ?? '')).split(' '))
        if (word.length * 2 > (floors[i] as number))
          floors[i] = Math.max(floors[i] as number, Math.min(wordCells, pen.cells(word)))
  return floors
}

/**
 * Returns the widths if they fit in `room`. Otherwise returns smaller ones, taken from the widest columns
 * first. No width is reduced below its floor. Returns undefined if the floors do not fit.
 */
function shrinkWidths(widths: number[], least: readonly number[], room: number): number[] | undefined {
  const floors = widths.map((size, i) => Math.min(size, least[i] as number))
  const cutTo = (level: number) =>
    widths.map((size, i) => Math.max(floors[i] as number, Math.min(size, level)))
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)
  if (sum(floors) > room) return undefined
  if (sum(widths) <= room) return widths
  // `level` becomes the largest width at which all columns fit when wider ones are cut to it.
  let level = narrow
  for (let high = room; level < high; ) {
    const middle = Math.ceil((level + high) / 2)
    if (sum(cutTo(middle)) <= room) level = middle
    else high = middle - 1
  }
  const out = cutTo(level)
  let spareCells = room - sum(out)
  for (const [i, size] of widths.entries()) {
    if (spareCells === 0 || size <= (out[i] as number)) continue
    out[i] = (out[i] as number) + 1
    spareCells--
  }
  return out
}

function drawGrid(table: RenderedTable, widths: number[], hidden: number, pen: Pen): RenderedLine[] {
  const b = pen.glyphs.borders[table.borderStyle]
  const cells = widths.reduce((sum, size) => sum + size, frameWidthFor(widths.length))
  const edge = (left: string, middle: string, right: string): RenderedLine => ({
    text: left + widths.map((size) => b.top.repeat(size + 2)).join(middle) + right,
    cells,
  })
  const aligns = table.columns.map((column) => column.align)
  const rowFrame = { aligns, side: b.side, cells, wraps: table.wraps === true }
  const body = rowDrawer(widths, rowFrame, pen)
  const head = rowDrawer(widths, rowFrame, pen, { bold: true, color: table.headerColor })
  const banner = (text: string): RenderedLine => {
    const bannerText = pen.clip(text, cells - 4)
    return {
      text: `${b.side} ${bannerText}${' '.repeat(cells - 4 - pen.cells(bannerText))} ${b.side}`,
      cells,
    }
  }
  const headers = table.columns.map((column) => column.header)
  const lines = [edge(b.topLeft, b.teeDown, b.topRight), ...head(headers)]
  lines.push(edge(b.teeRight, table.rows.length > 0 ? b.cross : b.teeUp, b.teeLeft))
  if (table.rows.length === 0) lines.push(banner('(no rows)'))
  for (const [i, row] of table.rows.entries()) {
    if (!isHidden(i, hidden)) lines.push(...body(row))
    else if (i === headRows) lines.push(banner(moreRows(hidden, pen)))
  }
  lines.push(edge(b.bottomLeft, table.rows.length > 0 ? b.teeUp : b.top, b.bottomRight))
  return lines
}

interface RowFrame {
  aligns: readonly TableColumn['align'][]
  side: string
  /** Width of the whole row in cells. */
  cells: number
  wraps: boolean
}

/** Returns a renderer of rows: one line each, or as many as the longest cell needs. */
function rowDrawer(
  widths: readonly number[],
  { aligns, side, cells, wraps }: RowFrame,
  pen: Pen,
  style?: TextStyle,
): (row: readonly string[]) => RenderedLine[] {
  const paint: TextPainter = style ? pen.paint(style) : (text) => text
  const draw = (row: readonly string[]): RenderedLine => {
    let text = side
    for (let i = 0; i < widths.length; i++) {
      const size = widths[i] as number
      const fittedCell = pen.fit(row[i] as string, size)
      const free = size - fittedCell.cells
      const leftCells = aligns[i] === 'right' ? free : aligns[i] === 'center' ? free >> 1 : 0
      text += ` ${' '.repeat(leftCells)}${paint(fittedCell.text)}${' '.repeat(free - leftCells)} ${side}`
    }
    return { text, cells }
  }
  return (row) => {
    const filled = widths.map((_, i) => row[i] || pen.glyphs.nothing)
    if (!wraps) return [draw(filled)]
    const folded = filled.map((cell, i) => pen.wrap(cell, widths[i] as number))
    const height = Math.max(...folded.map((lines) => lines.length))
    return Array.from({ length: height }, (_, y) => draw(folded.map((lines) => lines[y] ?? '')))
  }
}

/** Returns the rows as records of `header: value`, with a rule between. */
function drawRecords(table: RenderedTable, hidden: number, width: number, pen: Pen): RenderedLine[] {
  const rule = pen.line(pen.glyphs.rule.repeat(width))
  const style = { bold: true, color: table.headerColor }
  const lines: RenderedLine[] = []
  const record = (row: readonly string[]) => {
    for (const [i, { header }] of table.columns.entries()) {
      const value = row[i] || pen.glyphs.nothing
      for (const line of hangText(`${header}: `, style, value, {}, width, pen)) lines.push(line)
    }
  }
  if (table.rows.length === 0) {
    for (const { header } of table.columns) {
      lines.push(...pen.wrap(header, width).map((text) => pen.line(text, style)))
    }
    lines.push(rule, ...pen.wrap('(no rows)', width).map((text) => pen.line(text)))
  }
  for (const [i, row] of table.rows.entries()) {
    const skipped = isHidden(i, hidden)
    if (skipped && i > headRows) continue
    if (i > 0) lines.push(rule)
    if (skipped) lines.push(...pen.wrap(moreRows(hidden, pen), width).map((text) => pen.line(text)))
    else record(row)
  }
  return lines
}

function paintBackground(
  lines: RenderedLine[],
  backgroundColor: string | undefined,
  pen: Pen,
): RenderedLine[] {
  if (!backgroundColor) return lines
  const paint = pen.paint({ backgroundColor })
  let cells = 0
  for (const line of lines) cells = Math.max(cells, line.cells)
  return lines.map((line) => ({ text: paint(line.text + ' '.repeat(cells - line.cells)), cells }))
}
