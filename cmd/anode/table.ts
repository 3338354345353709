// Listing tables: few rows, our own strings, no borders. cli-table3 draws what has to be folded.
import { clean } from '../../internal/render/clean.ts'
import type { Io } from './verb.ts'

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

/** Rows under a heading. On a terminal the last column is folded to its width; a pipe gets one line per row. */
export async function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  io: Pick<Io, 'stdout'>,
): Promise<string> {
  const cells = [head, ...rows].map((row) => row.map((cell) => clean(cell).replaceAll('\n', ' ')))
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  const lines = io.stdout.isTTY ? await fold(cells, widths, io.stdout.columns ?? 80) : pad(cells, widths)
  return `${lines.replace(/[ \t]+$/gm, '')}\n`
}

function pad(cells: readonly string[][], widths: readonly number[]): string {
  return cells.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(bare.middle)).join('\n')
}

async function fold(cells: readonly string[][], widths: readonly number[], columns: number): Promise<string> {
  const { default: Table } = await import('cli-table3')
  const fixed = widths.slice(0, -1).reduce((sum, width) => sum + width + bare.middle.length, 0)
  const last = Math.max(16, Math.min(widths.at(-1) ?? 0, Math.max(40, columns) - fixed))
  const drawn = new Table({
    chars: bare,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: [...widths.slice(0, -1), last],
    wordWrap: true,
  })
  drawn.push(...cells)
  return drawn.toString()
}
