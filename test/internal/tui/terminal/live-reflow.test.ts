// Rows that a narrower terminal breaks: their number, and the last rows that have room there.
import { expect, test } from 'vitest'
import {
  countNarrowRows,
  findLiveRows,
  narrowColumns,
  takeNarrowRows,
} from '../../../../internal/tui/terminal/live-reflow.ts'
import { rng } from '../../../support/rng.ts'

test.each([
  [30, 40],
  [80, 40],
  [120, 40],
  [121, 41],
  [240, 80],
])('expects a terminal of %i columns to get as narrow as %i', (columns, narrow) => {
  expect(narrowColumns(columns)).toBe(narrow)
})

test('counts the rows into which a narrower terminal breaks rows, without their styles', () => {
  expect(countNarrowRows(['', 'x'.repeat(40), 'x'.repeat(41), `\x1b[1m${'x'.repeat(40)}\x1b[0m`], 80)).toBe(5)
  // the second cell of a wide character does not fit behind 39 cells
  expect(countNarrowRows([`${'x'.repeat(39)}${'漢'.repeat(20)}x`], 80)).toBe(3)
})

test('takes the last rows that have room, and at least one', () => {
  const rows = ['a', 'x'.repeat(80), 'b', 'x'.repeat(60)]
  expect(takeNarrowRows(rows, 6, 80)).toEqual(rows)
  expect(takeNarrowRows(rows, 5, 80)).toEqual(rows.slice(1))
  expect(takeNarrowRows(rows, 3, 80)).toEqual(rows.slice(2))
  expect(takeNarrowRows(rows, 0, 80)).toEqual(rows.slice(3))
  expect(takeNarrowRows([], 0, 80)).toEqual([])
})

const size = (columns: number) => ({ columns, rows: 24 })

test('finds the start of a frame that changed nothing above the cursor, whenever it arrived', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const random = rng(seed)
    const pick = (below: number) => Math.floor(random() * below)
    const above = Array.from({ length: pick(4) }, () => 'x'.repeat(1 + pick(79)))
    const rowsWith = (text: string) => [...above, text, 'rule', text]
    const before = { rows: rowsWith('ab'), row: above.length, column: 3 }
    const after = { rows: rowsWith('abc'), row: above.length, column: 4 }
    const sizes = Array.from({ length: 1 + pick(4) }, () => size(40 + pick(80)))
    const last = sizes.at(-1)?.columns ?? 80
    const broken = above.reduce((sum, row) => sum + (last < 80 ? Math.ceil(row.length / last) : 1), 0)
    for (const time of ['before', 'after', 'unknown'] as const) {
      const frame = { before, finished: [], after, free: 0 }
      const found = findLiveRows(frame, { before: size(80), free: 0, sizes }, 'text', time)
      expect(found, `seed ${seed}, ${time}`).toEqual({ rowsUp: broken, reprinted: [] })
    }
  }
})
