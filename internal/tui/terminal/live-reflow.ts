// The position of the live rows after the terminal has changed its size. The functions are pure.
import { countCells, splitClusters } from '../../render/text/cell-width.ts'
import type { LiveRows } from './screen-writer.ts'

/**
 * The treatment of rows that are wider than the terminal has become. `cut`: their ends are hidden. `text`:
 * they are broken, and the cursor stays with its text. `lines`: all rows except the cursor's row are broken.
 * The cursor moves down by the number of added rows, including those below the cursor.
 */
export type ReflowKind = 'cut' | 'text' | 'lines'

export interface TerminalSize {
  columns: number
  rows: number
}

/**
 * Matches the names of programs whose terminal is xterm.js, such as editors, which breaks rows by `lines`.
 */
const lineMovers = /^(?:vscode|Hyper|Tabby|terminus)$/i

export function findReflowKind(env: Readonly<Record<string, string | undefined>>): ReflowKind {
  const { TMUX, STY, XTERM_VERSION, TERM, TERM_PROGRAM } = env
  if (TMUX) return 'text'
  if (STY || XTERM_VERSION || /^(?:linux|vt\d+|screen.*)$/.test(TERM ?? '')) return 'cut'
  return lineMovers.test(TERM_PROGRAM ?? '') ? 'lines' : 'text'
}

const style = /\x1b\[[\d;]*m/g
interface SizeChange {
  before: TerminalSize
  now: TerminalSize
  /** Number of rows below the live rows that are known to be empty. */
  free: number
}

/** Returns the number of rows from the start of the live rows to the cursor after one change of size. */
function countRowsUp(live: LiveRows, { before, now, free }: SizeChange, kind: ReflowKind): number {
  const { rows, row, column } = live
  const { columns } = now
  if (kind === 'cut' || columns >= before.columns) return row
  if (kind === 'text') {
    const rowsBefore = rows.slice(0, row).reduce((sum, one) => sum + countBrokenRows(one, columns), 0)
    return rowsBefore + Math.floor(column / columns)
  }
  // A terminal that becomes lower drops the rows below the cursor: first the empty ones, then live rows.
  const lost = Math.max(0, before.rows - now.rows - free)
  let cursor = row
  for (let i = Math.max(row, rows.length - 1 - lost); i >= 0; i--) {
    // The rows are counted from the last one up, because the row with the moving cursor is not broken.
    if (i !== cursor) cursor += countBrokenRows(rows[i] as string, columns) - 1
  }
  return cursor
}

/** The frame that was written last: the live rows before it, its printed lines, and its live rows. */
export interface LastFrame {
  before: LiveRows
  finished: readonly string[]
  after: LiveRows
  /** Number of empty rows below the live rows before the frame was written. */
  free: number
}

/**
 * Returns true if a frame has changed nothing above the row of the cursor. If the cursor stays with its text,
 * the number of rows above it is then known, whenever the terminal received the frame.
 */
export const isSafeFrame = ({ before, finished, after }: LastFrame, kind: ReflowKind): boolean =>
  kind === 'text' &&
  finished.length === 0 &&
  before.rows.length > after.row &&
  before.row === after.row &&
  after.rows.slice(0, after.row).every((row, i) => row === before.rows[i])

/**
 * The time at which the terminal received the last frame. `before`: before the change of size. `after`:
 * after it, while the previous frame came before it. `unknown`: not known. `lost`: the cursor position is
 * not known either.
 */
export type FrameTime = 'before' | 'after' | 'unknown' | 'lost'

/** The sizes of the terminal since the frame, in `sizes`. The current size is last. */
type SizeChanges = Pick<SizeChange, 'before' | 'free'> & { sizes: readonly TerminalSize[] }

/**
 * Returns the number of rows above the cursor to erase after a change of size, and the erased lines to print
 * again. In doubt too few rows are erased, because printed lines are above the live rows.
 */
export function findLiveRows(
  last: LastFrame,
  changes: SizeChanges,
  kind: ReflowKind,
  time: Exclude<FrameTime, 'lost'>,
): { rowsUp: number; reprinted: readonly string[] } {
  const { before, finished, after, free } = last
  const { sizes, ...rest } = changes
  const now = sizes.at(-1) ?? changes.before
  const hasMovedOften = sizes.some(({ columns, rows }) => columns !== now.columns || rows !== now.rows)
  if (time !== 'before' && isSafeFrame(last, kind)) {
    // Only the column of the cursor is uncertain, so it counts as in the first part of its broken row.
    const rowsUp = countRowsUp({ ...after, column: 0 }, { ...rest, now }, kind)
    return { rowsUp, reprinted: [] }
  }
  const least = { rowsUp: after.row, reprinted: [] }
  // If a frame arrived late and the size changed several times, its rows may have been broken and joined
  // again. The number of rows above the cursor is then unknown, so none is erased.
  if (hasMovedOften && time !== 'before') return { ...least, rowsUp: 0 }
  // The cursor may not have moved with its text, so its position may belong to any of the sizes.
  if (time === 'unknown' || (kind === 'lines' && hasMovedOften)) return least
  if (time === 'before') return { rowsUp: countRowsUp(after, { ...rest, now }, kind), reprinted: [] }
  // The terminal had moved the old rows before the frame arrived, and nothing has moved since.
  const moved = countRowsUp(before, { ...rest, now, free }, kind) - before.row
  const printed = finished.reduce((sum, line) => sum + countBrokenRows(line, now.columns), 0)
  const rowsUp = after.row + moved + printed
  return rowsUp < now.rows ? { rowsUp, reprinted: finished } : least
}

/** Returns the column of the cursor after the terminal's width changed to `columns`. */
export const findColumn = (column: number, columns: number, kind: ReflowKind): number =>
  kind === 'text' ? column % columns : Math.min(column, columns - 1)

/** Width in columns below which a terminal rarely gets while an answer arrives. */
const leastColumns = 40

/** Number by which users divide the width of a terminal at most in one step, such as by opening two panes. */
const maxPanes = 3

/**
 * Returns the smallest width in columns that a terminal of `columns` is assumed to get in one step: a third
 * of its width, but at least `leastColumns`, even if the terminal is narrower already.
 */
export const narrowColumns = (columns: number): number =>
  Math.max(leastColumns, Math.ceil(columns / maxPanes))

/**
 * Returns the number of rows into which a terminal of `columns` breaks these rows if users make it narrower.
 * Live rows that need more rows than the terminal has move into its scrollback, where they cannot be erased.
 */
export function countNarrowRows(rows: readonly string[], columns: number): number {
  const narrow = narrowColumns(columns)
  return rows.reduce((sum, row) => sum + countBrokenRows(row, narrow), 0)
}

/** Returns the last rows, at least one, that fit `room` rows after users made the terminal narrower. */
export function takeNarrowRows(rows: readonly string[], room: number, columns: number): readonly string[] {
  let first = Math.max(0, rows.length - 1)
  while (first > 0 && countNarrowRows(rows.slice(first - 1), columns) <= room) first--
  return rows.slice(first)
}

/**
 * Returns the number of rows into which the terminal breaks a row. A wide character moves to the next row if
 * only one cell is left.
 */
function countBrokenRows(row: string, columns: number): number {
  const text = row.replace(style, '')
  if (countCells(text) <= columns) return 1
  let count = 1
  let usedCells = 0
  for (const { text: cluster } of splitClusters(text)) {
    const cells = countCells(cluster)
    if (usedCells + cells > columns) {
      count++
      usedCells = 0
    }
    usedCells += cells
  }
  return count
}
