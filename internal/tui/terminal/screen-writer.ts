// What has to be written so that rows of a terminal become others. Pure.
import { countCells } from '../../render/text/cell-width.ts'

export interface ScreenFrame {
  rows: readonly string[]
  /** Where the terminal's own cursor stands; absent: it is not seen. */
  caret?: { row: number; column: number } | undefined
}

/** Rows at the end of the terminal as they stand there, and where its cursor is. */
export interface LiveRows {
  rows: readonly string[]
  row: number
  column: number
}

/** Of a cursor that is not seen; in the first one it could not tell of another width. */
const hiddenColumn = 1

export const noLiveRows: LiveRows = { rows: [], row: 0, column: 0 }

/** The terminal shows everything at once. */
const beginFrame = '\x1b[?2026h\x1b[?25l'
/** No row runs over the end of the terminal. */
const wrapOff = '\x1b[?7l'
const begin = beginFrame + wrapOff
/** Keeps the place where the last frame has left the cursor: it tells whether that came in time. */
const keepPlace = '\x1b7'
const end = (isCaretShown: boolean) => `\x1b[?7h${isCaretShown ? '\x1b[?25h' : ''}\x1b[?2026l`

/** From the cursor's row on. tmux keeps a copy of a screen that is erased from its very first cell. */
const eraseBelow = '\r\x1b[K\x1b[C\x1b[J\r'

const up = (rows: number) => (rows > 0 ? `\x1b[${rows}A` : '')
/** A terminal that has become lower may have dropped rows below the cursor: line feeds bring them back. */
const down = (rows: number) => '\n'.repeat(Math.max(0, rows))
const right = (cells: number) => (cells > 0 ? `\x1b[${cells}C` : '')
const toRow = (from: number, to: number) => (to > from ? down(to - from) : up(from - to))

/**
 * Counted from the last of the columns that the terminal is thought to have: where it has others by now, the
 * cursor stands at another place, and tells so when it is asked for.
 */
const toColumn = (column: number, columns: number) => {
  const back = columns - 1 - column
  return column === 0 || back < 0
    ? `\r${right(column)}`
    : `${right(columns)}${back > 0 ? `\x1b[${back}D` : ''}`
}

/**
 * Prints `finished` above the live rows, once and for good, and makes those what `frame` says. Only what has
 * changed of a row is written. Empty where nothing changes. A terminal that is narrower than `columns` by now
 * breaks what is printed and loses none of it.
 */
export function writeLiveRows(
  before: LiveRows,
  finished: readonly string[],
  frame: ScreenFrame,
  columns: number,
): { bytes: string; after: LiveRows } {
  const { rows, caret } = frame
  // what is printed takes the place of live rows: those follow as new ones
  const old = finished.length > 0 ? [] : before.rows
  let at = before.row
  let body = ''
  if (finished.length > 0) {
    body += `${up(before.row)}\r${printLines(finished)}${wrapOff}`
    at = 0
  }
  const first = old.length === 0
  for (const [i, row] of rows.entries()) {
    const known = old[i]
    if (known === row) continue
    if (i >= old.length && !(i === 0 && first)) {
      // a line feed makes room at the end of the terminal
      body += `${toRow(at, i - 1)}\r\n${freshRow(row)}`
    } else {
      body += `${toRow(at, i)}\r${known === undefined ? freshRow(row) : changedEnd(known, row)}`
    }
    at = i
  }
  const last = Math.max(0, rows.length - 1)
  if (before.rows.length > finished.length + rows.length) {
    body +=
      rows.length === 0 ? `${toRow(at, 0)}${eraseBelow}` : `${toRow(at, last)}${down(1)}\r\x1b[J${up(1)}`
    at = last
  }
  const row = caret?.row ?? last
  const column = caret?.column ?? (rows.length > 0 ? hiddenColumn : 0)
  const moves = body !== '' || row !== before.row || column !== before.column
  const after = { rows: [...rows], row, column }
  if (!moves) return { bytes: '', after }
  const place = toRow(at, row) + toColumn(column, columns)
  const start = keepPlace + (finished.length > 0 ? beginFrame : begin)
  return { bytes: `${start}${body}${place}${end(caret !== undefined)}`, after }
}

/**
 * What stood there may be a part of a row that the terminal has broken: erased from its first cell on it is
 * joined with no other any more.
 */
const freshRow = (row: string) => `\x1b[K${row}`

/** A line that goes over the end of its row leaves the rest of what stood below. */
const printLines = (lines: readonly string[]) => lines.map((line) => `${freshRow(line)}\x1b[K\r\n`).join('')

/** Takes the live rows away from a row on, and prints `reprinted` there; the cursor stands below it. */
export function eraseLiveRows(rowsUp: number, reprinted: readonly string[] = []): string {
  return `${beginFrame}${up(rowsUp)}${eraseBelow}${printLines(reprinted)}${end(true)}`
}

/** Goes on below all that is shown, of which nothing is lost: nobody knows where the live rows are. */
export const leaveLiveRows = (rows: number): string => `\x1b[${rows};1H\r\n`

/** A whole screen; at its right there may be a pane, whose rows are written by themselves. */
export interface PageFrame extends ScreenFrame {
  /** `column`: cells left of it. A row that it does not have is the frame's alone. */
  pane?: { column: number; rows: readonly string[] } | undefined
}

/** A row that stands nowhere: what is at its place is not known. */
export const unknownRow = '\0'

/** What has changed of a whole screen, each row at its place; empty where nothing has. */
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
    // what stood at the right of it goes with the row
    const known = isSplit === (oldSide !== undefined) || pane === undefined ? old : unknownRow
    if (known !== row) {
      const change = isSplit ? changedPart(known, row, pane?.column ?? 0) : changedEnd(known, row)
      body += `\x1b[${i + 1};1H${change}`
    }
    // signs that a terminal draws wider than they were counted reach into the pane
    const isTorn = known !== row && !(isAscii(known) && isAscii(row))
    if (isSplit && (isTorn || side !== oldSide))
      body += `\x1b[${i + 1};${(pane?.column ?? 0) + 1}H${side}\x1b[K`
  }
  const place = caret ? `\x1b[${caret.row + 1};${caret.column + 1}H` : ''
  const isStill = caret?.row === before.caret?.row && caret?.column === before.caret?.column
  if (body === '' && isStill) return ''
  return `${begin}${body}${place}${end(caret !== undefined)}`
}

const isAscii = (text: string) => /^[\x1b-\x7e]*$/.test(text)

/** The same within the cells left of a pane. */
function changedPart(old: string, row: string, cells: number): string {
  const same = countSame(old, row)
  // where widths are not certain the pane is written again anyway
  const free = isAscii(row) ? cells - countCells(row.replace(styles, '')) : cells
  return `${right(same)}${row.slice(same)}${free > 0 ? `\x1b[${free}X` : ''}`
}

const styles = /\x1b\[[\d;]*m/g

/** The row from where it differs. */
function changedEnd(old: string, row: string): string {
  const same = countSame(old, row)
  return `${right(same)}${row.slice(same)}\x1b[K`
}

/** Characters at the beginning that stay; columns are counted behind ASCII without style only. */
function countSame(old: string, row: string): number {
  let same = 0
  const shortest = Math.min(old.length, row.length)
  while (same < shortest && old[same] === row[same] && isPlain(row.charCodeAt(same))) same++
  // a mark may join what stands before it
  if (same > 0 && !(isPlain(row.charCodeAt(same)) || same === row.length)) same--
  return same
}

const isPlain = (code: number) => code >= 0x20 && code < 0x7f
