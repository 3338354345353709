// Table: how properties reach the drawing, warnings, plain text.
import { expect, test } from 'vitest'
import { codes, draw } from '../draw.ts'

const columns = [
  { header: 'Job', key: 'job' },
  { header: 'ms', key: 'ms', align: 'right' },
]
const rows = [{ job: 'build', ms: '812' }, { job: '漢字', ms: 95 }, { job: null }]

test('draws a table', () => {
  expect(draw('Table', { columns, rows })).toEqual([
    '┌───────┬─────┐',
    '│ Job   │  ms │',
    '├───────┼─────┤',
    '│ build │ 812 │',
    '│ 漢字  │  95 │',
    '│ —     │   — │',
    '└───────┴─────┘',
  ])
})

test('applies width, alignment, border and colors', () => {
  const props = {
    columns: [{ header: 'n', key: 'n', width: 5, align: 'center' }],
    rows: [{ n: 'abcdefg' }, { n: 'x' }],
    borderStyle: 'double',
  }
  expect(draw('Table', props)).toEqual([
    '╔═══════╗',
    '║   n   ║',
    '╠═══════╣',
    '║ abcd… ║',
    '║   x   ║',
    '╚═══════╝',
  ])
  const [, head] = draw('Table', { ...props, headerColor: 'red', backgroundColor: 'blue' }, { color: 1 })
  expect(head).toBe('\x1b[44m║   \x1b[31m\x1b[1mn\x1b[22m\x1b[39m   ║\x1b[49m')
})

test('rows beyond two hundred are counted', () => {
  const many = Array.from({ length: 5000 }, (_, i) => ({ job: `j${i}`, ms: String(i) }))
  const lines = draw('Table', { columns, rows: many })
  expect(lines).toHaveLength(4 + 121)
  expect(lines[3 + 100]).toBe('│ … 4,880 mor… │')
  expect(lines.at(-2)).toBe('│ j4999 │ 4999 │')
  expect(codes({ x: { type: 'Table', props: { columns, rows: many } } })).toEqual(['truncated_rows'])
  expect(draw('Table', { columns, rows: many }, { all: true })).toHaveLength(5004)
})

test('plain output has one line for each row', () => {
  expect(draw('Table', { columns, rows }, { plain: true })).toEqual([
    'Job: build; ms: 812',
    'Job: 漢字; ms: 95',
    'Job: —; ms: —',
  ])
  expect(draw('Table', { columns, rows: [] }, { plain: true })).toEqual(['Job; ms: (no rows)'])
  const many = Array.from({ length: 201 }, () => ({ job: 'x', ms: 'y' }))
  const lines = draw('Table', { columns, rows: many }, { plain: true })
  expect(lines).toHaveLength(121)
  expect(lines[100]).toBe('… 81 more rows')
})
