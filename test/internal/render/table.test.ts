// Tables: squeezing, blocks, borders, rows that are left out.
import { expect, test } from 'vitest'
import { makePen } from '../../../internal/render/pen.ts'
import {
  drawTable,
  hiddenRows,
  isHidden,
  moreRows,
  type RenderedTable,
  tableWidth,
} from '../../../internal/render/table.ts'
import { look } from './draw.ts'

const table = (rows: string[][], headers: string[], rest: Partial<RenderedTable> = {}): RenderedTable => ({
  columns: headers.map((header) => ({ header, align: 'left' })),
  rows,
  borderStyle: 'single',
  ...rest,
})

const draw = (value: RenderedTable, width: number, other = {}) =>
  drawTable(value, width, makePen({ ...look, ...other })).lines.map((line) => line.text)

test('takes cells from the widest column first', () => {
  const value = table([['a'.repeat(20), 'b'.repeat(10), 'c']], ['x', 'y', 'z'])
  expect(draw(value, 30)[3]).toBe('│ aaaaaaaaa… │ bbbbbbbb… │ c │')
  expect(draw(value, 24)[3]).toBe('│ aaaaaa… │ bbbbb… │ c │')
  expect(draw(value, 38)[3]).toBe('│ aaaaaaaaaaaaaaaa… │ bbbbbbbbbb │ c │')
})

test('keeps narrow columns in full', () => {
  expect(draw(table([['id', 'x'.repeat(50)]], ['#', 'text']), 20)[3]).toBe('│ id │ xxxxxxxxxx… │')
})

test('shows rows as blocks if a column has fewer than four cells', () => {
  const value = table(
    [
      ['alpha', 'beta'],
      ['gamma', ''],
    ],
    ['first', 'second'],
  )
  expect(draw(value, 15)[0]).toBe('┌──────┬──────┐')
  const rule = '─'.repeat(14)
  expect(draw(value, 14)).toEqual(['first: alpha', 'second: beta', rule, 'first: gamma', 'second: —'])
  expect(draw(table([], ['first', 'second']), 9)).toEqual(['first', 'second', '─'.repeat(9), '(no rows)'])
})

test('draws a table without rows', () => {
  expect(draw(table([], ['alpha', 'beta']), 40)).toEqual([
    '┌───────┬──────┐',
    '│ alpha │ beta │',
    '├───────┴──────┤',
    '│ (no rows)    │',
    '└──────────────┘',
  ])
})

test('counts hidden rows', () => {
  const pen = makePen(look)
  expect(hiddenRows(200, pen)).toBe(0)
  expect(hiddenRows(5000, pen)).toBe(4880)
  expect(hiddenRows(5000, makePen({ ...look, all: true }))).toBe(0)
  expect([99, 100, 4979, 4980].map((i) => isHidden(i, 4880))).toEqual([false, true, true, false])
  expect(isHidden(100, 0)).toBe(false)
  expect(moreRows(4880, pen)).toBe('… 4,880 more rows')
})

test('counts hidden rows of blocks', () => {
  const rows = Array.from({ length: 300 }, () => ['x', 'y'])
  const lines = draw(table(rows, ['first', 'second']), 14)
  expect(lines.filter((line) => line === 'first: x')).toHaveLength(120)
  expect(lines.join('\n')).toContain('… 180 more\nrows')
})

test('computes the natural width', () => {
  expect(tableWidth(table([['漢字', 'x']], ['a', 'b']), makePen(look))).toBe(12)
})

test('cuts a cell of a million characters', () => {
  expect(draw(table([['漢'.repeat(1_000_000)]], ['a']), 20)[3]).toBe('│ 漢漢漢漢漢漢漢 … │')
})

test('uses only the first hundred thousand cells for the width', () => {
  const rows = Array.from({ length: 100_001 }, (_, i) => [i === 100_000 ? 'late and long' : 'x'])
  expect(draw(table(rows, ['a']), 40, { all: true }).at(-2)).toBe('│ … │')
})
