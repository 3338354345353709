// Listing tables, drawn by cli-table3: few rows, our own strings, borders only where they help.
import Table from 'cli-table3'
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
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  io: Pick<Io, 'stdout'>,
): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => clean(cell).replaceAll('\n', ' ')))
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  const room = io.stdout.isTTY ? Math.max(40, io.stdout.columns ?? 80) : Number.POSITIVE_INFINITY
  const fixed = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0)
  const wanted = widths.at(-1) ?? 0
  const last = Math.max(16, Math.min(wanted, room - fixed))
  const drawn = new Table({
    chars: bare,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: [...widths.slice(0, -1), last],
    // looking for places to fold takes as long as everything else
    wordWrap: last < wanted,
  })
  drawn.push(...cells.map((row) => [...row]))
  return `${drawn.toString().replace(/[ \t]+$/gm, '')}\n`
}
