// Tables on terminals of every width: no line is wider, no word is lost, and a pipe gets one line per row.
import { expect, test } from 'vitest'
import { fitWidths, formatTable } from '../../../../cmd/anode/io/table.ts'
import type { CommandIo } from '../../../../cmd/anode/verb.ts'

const head = ['what', 'state', 'detail']
const rows = [
  ['configuration', 'broken', '/home/someone/.config/anode/config.json: the profile mine cannot be used'],
  ['key of openrouter', 'ok', 'from OPENROUTER_API_KEY'],
  ['mcp a-very-long-server-name', 'missing', 'x'],
  ['workspace', 'ok', '/a/very/long/path/that/does/not/fit/anywhere/at/all/in/forty/columns, trusted'],
  ['', '', ''],
]
const draw = (columns: number, more: string[][] = rows) =>
  formatTable(head, more, { stdout: { isTTY: true, columns } } as Pick<CommandIo, 'stdout'>)

test.each(Array.from({ length: 18 }, (_, i) => 36 + i * 5))('at %i columns', async (columns) => {
  const drawn = await draw(columns)
  for (const line of drawn.split('\n')) expect([...line].length, line).toBeLessThanOrEqual(columns)
  const letters = (text: string) => [...text.replace(/\s/g, '')].sort().join('')
  expect(letters(drawn)).toBe(letters([head, ...rows].flat().join('')))
})

test('wide enough, every row is one line', async () => {
  expect((await draw(200)).trimEnd().split('\n')).toHaveLength(rows.length)
  const piped = await formatTable(head, rows, { stdout: { isTTY: false } } as Pick<CommandIo, 'stdout'>)
  expect(piped.split('\n')).toHaveLength(rows.length + 2)
})

test('widths always fit where they can, and columns never vanish', () => {
  for (let seed = 1; seed < 3000; seed++) {
    const next = (most: number, salt: number) => ((seed * 7919 + salt * 104729) % most) + 1
    const widths = Array.from({ length: next(5, 1) + 1 }, (_, i) => next(60, i + 2))
    const columns = 20 + next(120, 9)
    const fitting = fitWidths(widths, columns)
    const total = fitting.reduce((sum, width) => sum + width, 0) + 2 * (widths.length - 1)
    for (const [i, width] of fitting.entries()) {
      expect(width).toBeGreaterThan(0)
      expect(width).toBeLessThanOrEqual(widths[i] ?? 0)
    }
    if ((8 + 2) * widths.length <= columns) expect(total).toBeLessThanOrEqual(columns)
  }
})
