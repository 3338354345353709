// The bytes that change the rows of a terminal into other rows. The functions are pure.
import { countCells } from '../../render/text/cell-width.ts'

export interface ScreenFrame {
  rows: readonly string[]
  /** The position of the terminal's cursor in the rows. Default: the cursor is hidden. */
  caret?: { row: number; column: number } | undefined
  /**
   * True if the hidden cursor waits at the start of the first row. There it marks for the next frame where
   * the rows begin, even if the terminal has broken them for a width that Anode does not know yet.
   */
  isParked?: boolean
}

/**
 * The rows that are at the end of the terminal now, with the position of the cursor, counted from the
 * first of them.
 */
export interface LiveRows {
  rows: readonly string[]
  row: number
  column: number
}

/**
 * Index of the column of a hidden cursor. In the first column, a cursor would not reveal that the
 * width has changed.
 */
const hiddenColumn = 1

export const noLiveRows: LiveRows = { rows: [], row: 0, column: 0 }

/**
 * Control sequence that hides the cursor and starts a synchronized update, which the terminal shows
 * all at once.
 */
const beginFrame = '\x1b[?2026h\x1b[?25l'
/** Control sequence that turns off wrapping at the end of rows. */
const wrapOff = '\x1b[?7l'
const begin = beginFrame + wrapOff
/**
 * Control sequence that saves the cursor position of the last frame. The saved position reveals whether that
 * frame arrived in time.
 */
const keepPlace = '\x1b7'
const endFrame = (isCaretShown: boolean) => `\x1b[?7h${isCaretShown ? '\x1b[?25h' : ''}\x1b[?2026l`

/**
 * Control sequence that erases everything from the cursor's row on. tmux saves a copy of a screen that is
 * erased from its first cell, so that row is erased first and the rest from its second cell on.
 */
export const eraseBelow = '\r\x1b[K\x1b[C\x1b[J\r'

const moveUp = (rows: number) => (rows > 0 ? `\x1b[${rows}A` : '')
/**
 * Returns line feeds that move the cursor down. A terminal that became lower may have dropped rows, which
 * line feeds create again.
 */
const moveDown = (rows: number) => '\n'.repeat(Math.max(0, rows))
const moveRight = (cells: number) => (cells > 0 ? `\x1b[${cells}C` : '')
const toRow = (from: number, to: number) => (to > from ? moveDown(to - from) : moveUp(from - to))

/**
 * Returns the sequence that moves the cursor to a column. Any column but the first is counted back from the
 * last expected column. On a terminal of another width the cursor then ends elsewhere, and the report of its
 * position reveals that.
 */
const toColumn = (column: number, columns: number) => {
  const back = columns - 1 - column
  return column === 0 || back < 0
    ? `\r${moveRight(column)}`
    : `${moveRight(columns)}${back > 0 ? `\x1b[${back}D` : ''}`
}

/**
 * Returns bytes that print `finished` permanently above the live rows, and change the live rows to `frame`.
 * Only changes are written; the bytes are empty if no row changes and the cursor stays. A terminal narrower
 * than `columns` breaks printed lines without losing text.
 */
export function writeLiveRows(
  before: LiveRows,
  finished: readonly string[],
  frame: ScreenFrame,
  columns: number,
): { bytes: string; after: LiveRows } {
  const { rows } = frame
  const caret = frame.isParked ? undefined : frame.caret
  // The printed lines overwrite the live rows, so those follow as new rows.
  const old = finished.length > 0 ? [] : before.rows
  let at = before.row
  let body = ''
  if (finished.length > 0) {
    body += `${moveUp(before.row)}\r${printLines(finished)}${wrapOff}`
    at = 0
  }
  const first = old.length === 0
  for (const [i, row] of rows.entries()) {
    const oldRow = old[i]
    if (oldRow === row) continue
    if (i >= old.length && !(i === 0 && first)) {
      // A line feed adds a row at the end of the terminal.
      body += `${toRow(at, i - 1)}\r\n${freshRow(row)}`
    } else {
      body += `${toRow(at, i)}\r${oldRow === undefined ? freshRow(row) : changedLiveRow(oldRow, row)}`
    }
    at = i
  }
  const last = Math.max(0, rows.length - 1)
  if (before.rows.length > finished.length + rows.length) {
    body +=
      rows.length === 0
        ? `${toRow(at, 0)}${eraseBelow}`
        : `${toRow(at, last)}${moveDown(1)}\r\x1b[J${moveUp(1)}`
    at = last
  }
  const row = frame.isParked ? 0 : (caret?.row ?? last)
  const column = caret?.column ?? (rows.length > 0 && !frame.isParked ? hiddenColumn : 0)
  const moves = body !== '' || row !== before.row || column !== before.column
  const after = { rows: [...rows], row, column }
  if (!moves) return { bytes: '', after }
  const place = toRow(at, row) + toColumn(column, columns)
  const start = keepPlace + (finished.length > 0 ? beginFrame : begin)
  return { bytes: `${start}${body}${place}${endFrame(caret !== undefined)}`, after }
}

/**
 * Returns bytes that erase the old row and then write the new one. Otherwise the terminal may join the new
 * row with parts of a broken row.
 */
const freshRow = (row: string) => `\x1b[K${row}`

/**
 * Returns bytes for a changed row. tmux keeps the width of a row whose end is erased, and then breaks the row
 * as if its old text were there. So a row that becomes shorter is erased as a whole.
 */
const changedLiveRow = (old: string, row: string) =>
  countRowCells(row) < countRowCells(old) ? freshRow(row) : changedEnd(old, row)

const countRowCells = (row: string) => countCells(row.replace(styles, ''))

/** Returns bytes that print lines. A line that wraps must also erase the row that it continues in. */
const printLines = (lines: readonly string[]) => lines.map((line) => `${freshRow(line)}\x1b[K\r\n`).join('')

/**
 * Returns bytes that erase the live rows, beginning `rowsUp` rows above the cursor, and print `reprinted`.
 * The cursor ends below the printed lines.
 */
export function eraseLiveRows(rowsUp: number, reprinted: readonly string[] = []): string {
  return `${beginFrame}${moveUp(rowsUp)}${eraseBelow}${printLines(reprinted)}${endFrame(true)}`
}

/**
 * Returns bytes after which output continues below all `rows` rows of the terminal. Nothing is erased,
 * because the position of the live rows is unknown.
 */
export const leaveLiveRows = (rows: number): string => `\x1b[${rows};1H\r\n`

/** A frame for the whole screen. It may have a pane at the right, whose rows are written separately. */
export interface PageFrame extends ScreenFrame {
  /**
   * The pane at the right, which starts at `column`. Screen rows without a row of the pane use
   * the whole width.
   */
  pane?: { column: number; rows: readonly string[] } | undefined
}

/** Marks a row of the terminal whose content is not known. */
export const unknownRow = '\0'

/**
 * Returns bytes for the changed rows of a whole screen; an empty text if no row changes and the cursor stays.
 */
export function writeWholeScreen(before: PageFrame, after: PageFrame): string {
  const { rows, caret, pane } = after
  const isMoved = before.pane?.column !== pane?.column
  const count = Math.max(before.rows.length, rows.length)
  let body = ''
  for (let i = 0; i < count; i++) {
    const row = rows[i] ?? ''
    const side = pane?.rows[i]
    const old = isMoved ? unknownRow : (before.rows[i] ?? unknownRow)
    const oldSide = isMoved ? undefined : before.pane?.rows[i]
    const isSplit = side !== undefined
    // If a row of the pane appears or disappears, the row to its left is written again as a whole.
    const baseRow = isSplit === (oldSide !== undefined) || pane === undefined ? old : unknownRow
    if (baseRow !== row) {
      const change = isSplit ? changedPart(baseRow, row, pane?.column ?? 0) : changedEnd(baseRow, row)
      body += `\x1b[${i + 1};1H${change}`
    }
    // A terminal may draw non-ASCII characters wider than expected, into the pane, so the pane's row is
    // written again too.
    const isTorn = baseRow !== row && !(isAscii(baseRow) && isAscii(row))
    if (isSplit && (isTorn || side !== oldSide))
      body += `\x1b[${i + 1};${(pane?.column ?? 0) + 1}H${side}\x1b[K`
  }
  const place = caret ? `\x1b[${caret.row + 1};${caret.column + 1}H` : ''
  const isStill = caret?.row === before.caret?.row && caret?.column === before.caret?.column
  if (body === '' && isStill) return ''
  return `${begin}${body}${place}${endFrame(caret !== undefined)}`
}

const isAscii = (text: string) => /^[\x1b-\x7e]*$/.test(text)

/** Returns bytes for the changed end of a row, within the cells to the left of the pane. */
function changedPart(old: string, row: string, cells: number): string {
  const same = countSame(old, row)
  // If the widths of characters are uncertain, more cells are erased than needed, because the pane is
  // written again anyway.
  const free = isAscii(row) ? cells - countRowCells(row) : cells
  return `${moveRight(same)}${row.slice(same)}${free > 0 ? `\x1b[${free}X` : ''}`
}

const styles = /\x1b\[[\d;]*m/g

/** Returns bytes for the row from its first difference on. */
function changedEnd(old: string, row: string): string {
  const same = countSame(old, row)
  return `${moveRight(same)}${row.slice(same)}\x1b[K`
}

/**
 * Returns the number of equal characters at the start of two rows. Only ASCII characters without style count,
 * because their width is certain.
 */
function countSame(old: string, row: string): number {
  let same = 0
  const shortest = Math.min(old.length, row.length)
  while (same < shortest && old[same] === row[same] && isPlain(row.charCodeAt(same))) same++
  // The next character may be a combining mark, which joins with the character before it. So that character
  // is written again.
  if (same > 0 && !(isPlain(row.charCodeAt(same)) || same === row.length)) same--
  return same
}

const isPlain = (code: number) => code >= 0x20 && code < 0x7f
