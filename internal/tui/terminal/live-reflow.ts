// How far the live rows reach up once the terminal has taken another size. Pure.
import { countCells, splitClusters } from '../../render/text/cell-width.ts'
import type { LiveRows } from './screen-writer.ts'

/**
 * What a terminal does with rows that are wider than it has become. `cut`: nothing, their ends are not seen.
 * `text`: it breaks them, and its cursor stays with its text. `lines`: it breaks all but the row of the
 * cursor, which it moves by as many rows as there are more, also by those below it.
 */
export type ReflowKind = 'cut' | 'text' | 'lines'

export interface TerminalSize {
  columns: number
  rows: number
}

/** Editors and web pages that are built on the terminal xterm.js. */
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
  /** Rows of the terminal below the live ones that are surely empty. */
  free: number
}

/** How far above the cursor the live rows begin after one change of the size. */
function countRowsUp(live: LiveRows, { before, now, free }: SizeChange, kind: ReflowKind): number {
  const { rows, row, column } = live
  const { columns } = now
  if (kind === 'cut' || columns >= before.columns) return row
  if (kind === 'text') {
    const rowsBefore = rows.slice(0, row).reduce((sum, one) => sum + countBrokenRows(one, columns), 0)
    return rowsBefore + Math.floor(column / columns)
  }
  // a lower terminal loses its last rows, empty ones first, as far as they stand below the cursor
  const lost = Math.max(0, before.rows - now.rows - free)
  let cursor = row
  for (let i = Math.max(row, rows.length - 1 - lost); i >= 0; i--) {
    // from the last row up: the one that the moving cursor is in at that moment stays whole
    if (i !== cursor) cursor += countBrokenRows(rows[i] as string, columns) - 1
  }
  return cursor
}

/** The last frame that was written: what stood there before it, what it has printed and drawn. */
export interface LastFrame {
  before: LiveRows
  finished: readonly string[]
  after: LiveRows
  /** As {@link SizeChange} has it, before the frame. */
  free: number
}

/**
 * When the terminal had the last frame: `before` it took another size; `after` that, but the frame before it
 * in time; `unknown`. `lost`: nor is known where its cursor stands.
 */
export type FrameTime = 'before' | 'after' | 'unknown' | 'lost'

/** `sizes`: all that the terminal has told of since the frame, the present one last. */
type SizeChanges = Pick<SizeChange, 'before' | 'free'> & { sizes: readonly TerminalSize[] }

/**
 * What has to be erased after a change of the size: rows above the cursor, and what of it is to be printed
 * again. Where it is not known rather too little, since above the live rows stands what was printed.
 */
export function findLiveRows(
  { before, finished, after, free }: LastFrame,
  changes: SizeChanges,
  kind: ReflowKind,
  time: Exclude<FrameTime, 'lost'>,
): { rowsUp: number; reprinted: readonly string[] } {
  const { sizes, ...rest } = changes
  const now = sizes.at(-1) ?? changes.before
  const hasMovedOften = sizes.some(({ columns, rows }) => columns !== now.columns || rows !== now.rows)
  const least = { rowsUp: after.row, reprinted: [] }
  // rows of a late frame may have been joined with others since: how many stand above the cursor is not known
  if (hasMovedOften && time !== 'before') return { ...least, rowsUp: 0 }
  // a cursor that does not go with its text may be where any of several sizes has moved it
  if (time === 'unknown' || (kind === 'lines' && hasMovedOften)) return least
  if (time === 'before') return { rowsUp: countRowsUp(after, { ...rest, now }, kind), reprinted: [] }
  // the terminal had moved what it was drawn over, and has moved nothing since
  const moved = countRowsUp(before, { ...rest, now, free }, kind) - before.row
  const printed = finished.reduce((sum, line) => sum + countBrokenRows(line, now.columns), 0)
  const rowsUp = after.row + moved + printed
  return rowsUp < now.rows ? { rowsUp, reprinted: finished } : least
}

/** The column of the cursor once the terminal has so many. */
export const findColumn = (column: number, columns: number, kind: ReflowKind): number =>
  kind === 'text' ? column % columns : Math.min(column, columns - 1)

/** Rows that a row becomes; what takes two cells goes on to the next where one is left. */
function countBrokenRows(row: string, columns: number): number {
  const text = row.replace(style, '')
  if (countCells(text) <= columns) return 1
  let count = 1
  let used = 0
  for (const { text: cluster } of splitClusters(text)) {
    const cells = countCells(cluster)
    if (used + cells > columns) {
      count++
      used = 0
    }
    used += cells
  }
  return count
}
