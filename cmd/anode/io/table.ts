// Tables without borders, for lists with few rows. On a terminal, the library cli-table3 draws them and
// wraps their cells.
import { clipText } from '../../../internal/render/text/cell-width.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type { CommandIo } from '../verb.ts'
import { foldMessage } from './command-output.ts'

const bare = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
} as const

/**
 * Returns the rows as a table below a heading. On a terminal, wide columns become narrower, and their cells
 * are wrapped. If the columns do not fit even at their smallest widths, the cells of a row are listed below
 * each other. The text of `notes` with the index of a row then is a line below this row, cut to the width. In
 * a pipe each row is one line, without a note.
 */
export async function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  io: Pick<CommandIo, 'stdout'>,
  notes: readonly string[] = [],
): Promise<string> {
  const cells = [head, ...rows].map((row) => row.map((cell) => sanitizeText(cell).replaceAll('\n', ' ')))
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  const columns = io.stdout.columns || 80
  if (!io.stdout.isTTY) return `${trimLines(padCells(cells, widths))}\n`
  const isStacked = sumWidths(fitWidths(widths, columns)) > columns - sumGaps(widths)
  const blocks = isStacked ? stackRows(cells, columns) : await foldCells(cells, widths, columns)
  const firstRow = isStacked ? 0 : 1
  const lines = blocks.flatMap((block, i) => [block, ...noteLines(notes[i - firstRow] ?? '', columns)])
  return `${trimLines(lines.join('\n'))}\n`
}

const trimLines = (text: string) => text.replace(/[ \t]+$/gm, '')

function noteLines(note: string, columns: number): string[] {
  const text = sanitizeText(note).replace(/\s+/g, ' ').trim()
  return text === '' ? [] : [`  ${clipText(text, columns - 2, '…').text}`]
}

/**
 * Returns each row as a block: the first cell on a line, the other nonempty cells below it
 * with their headings.
 */
function stackRows([head = [], ...rows]: readonly string[][], columns: number): string[] {
  return rows.map(([first = '', ...rest]) => {
    const named = rest.map((cell, i) => (head[i + 1] ? `  ${head[i + 1]}: ${cell}` : `  ${cell}`))
    return foldMessage([first, ...named.filter((_, i) => rest[i] !== '')].join('\n'), columns)
  })
}

const sumWidths = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0)
const sumGaps = (widths: readonly number[]) => bare.middle.length * (widths.length - 1)

function padCells(cells: readonly string[][], widths: readonly number[]): string {
  return cells.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(bare.middle)).join('\n')
}

/** Returns each row as a block of lines, the heading first. All blocks have the same columns. */
async function foldCells(
  cells: readonly string[][],
  widths: readonly number[],
  columns: number,
): Promise<string[]> {
  const { default: Table } = await import('cli-table3')
  const fitting = fitWidths(widths, columns)
  const overflows = (cell: string, width: number) => cell.split(' ').some((word) => word.length > width)
  // A word that is too wide for its column is split, not truncated.
  const breakable = (cell: string, width = 1) => (overflows(cell, width) ? breakWords(cell, width) : cell)
  return cells.map((row) => {
    const block = new Table({
      chars: bare,
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
      colWidths: [...fitting],
      wordWrap: true,
    })
    block.push(row.map((cell, i) => breakable(cell, fitting[i])))
    return block.toString()
  })
}

/**
 * Widths in cells to which wide columns are reduced: the last column to `last`, each other column to `first`.
 * If there is still too little room, the last column is reduced to `first` too.
 */
const least = { first: 8, last: 16 }

/**
 * Returns widths in cells for the columns of a table, so that they fit into `columns` cells (at least 20),
 * unless the table has too many columns. The last column is reduced to its minimum first, then the widest of
 * the others, each to a minimum.
 */
export function fitWidths(widths: readonly number[], columns: number): number[] {
  const fitting = widths.slice(0, -1)
  const room = Math.max(columns, 20) - sumGaps(widths)
  const lastWidth = widths.at(-1) ?? 0
  while (sumWidths(fitting) + Math.min(lastWidth, least.last) > room) {
    const widest = Math.max(...fitting)
    if (widest <= least.first) break
    fitting[fitting.indexOf(widest)] = widest - 1
  }
  return [...fitting, Math.max(1, Math.min(lastWidth, Math.max(room - sumWidths(fitting), least.first)))]
}

function breakWords(cell: string, width: number): string {
  return cell
    .split(' ')
    .map((word) => word.match(new RegExp(`.{1,${width}}`, 'gu'))?.join('\n') ?? word)
    .join(' ')
}
