// How far the live rows reach up once the terminal has taken another size. Pure.
import { countCells, splitClusters } from '../../render/text/cell-width.ts'
import type { LiveRows } from './screen-writer.ts'

/**
 * What a terminal does with rows that are wider than it has become. `cut`: nothing, their ends are not seen.
 * `text`: it breaks them, and its cursor stays with its text. `lines`: it breaks all but the row of the
 * cursor, which it moves by as many rows as there are more, also by those below it.
 */
export type ReflowKind = 'cut' | 'text' | 'lines'

interface TerminalSize {
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
export function countRowsUp(live: LiveRows, { before, now, free }: SizeChange, kind: ReflowKind): number {
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

/** Rows that a row becomes; what takes two cells goes on to the next where one is left. */
function countBrokenRows(row: string, columns: number): number {
  const text = row.replace(style, '')
  if (countCells(text) <= columns) return 1
  let [count, used] = [1, 0]
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
