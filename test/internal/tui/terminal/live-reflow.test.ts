// Rows that a narrower terminal breaks: their number, and the last rows that have room there.
import { expect, test } from 'vitest'
import {
  countNarrowRows,
  narrowColumns,
  takeNarrowRows,
} from '../../../../internal/tui/terminal/live-reflow.ts'

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
