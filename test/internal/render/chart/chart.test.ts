// Charts: points from both forms, every type, notes and errors.
import { expect, test } from 'vitest'
import { type ChartInput, drawChart } from '../../../../internal/render/chart/chart.ts'
import { look } from '../draw.ts'

const draw = (input: Partial<ChartInput>, other = {}) =>
  drawChart({ type: 'bar', width: 40, ...input }, { ...look, ...other })

function linesOf(input: Partial<ChartInput>, other = {}): string[] {
  const drawn = draw(input, other)
  if (!drawn.ok) throw new Error(drawn.message)
  return drawn.lines
}

const refused: [Partial<ChartInput>, string, RegExp][] = [
  [{}, 'one_of_data_series', /neither/],
  [{ data: {}, series: [] }, 'one_of_data_series', /both/],
  [{ data: [1] }, 'bad_args', /data must be an object/],
  [{ data: 'x' }, 'bad_args', /data must be an object/],
  [{ series: {} }, 'bad_args', /series must be an array/],
  [{ series: [{ value: 1 }] }, 'bad_args', /series\[0\] has no label/],
  [{ series: [{ label: 'a', value: 1 }, { label: 'b' }] }, 'bad_args', /series\[1\] has no value/],
  [{ series: [null] }, 'bad_args', /series\[0\]/],
]

test.each(refused)('rejects %j', (input, code, message) => {
  expect(draw(input)).toMatchObject({ ok: false, code, message: expect.stringMatching(message) })
})

test('draws the example of the manual', () => {
  expect(linesOf({ data: { a: -3, b: 2, c: 0.1 }, width: 20 })).toEqual([
    'a ████████████          -3',
    'b             ████████   2',
    'c             ▍        0.1',
  ])
})

const series = [
  { label: 'mon', value: 1 },
  { label: 'tue', value: 9 },
  { label: 'mon', value: 4 },
]

test('draws each type of chart', () => {
  expect(linesOf({ series, title: 'load' })).toHaveLength(4)
  expect(linesOf({ type: 'sparkline', series, title: 'load' })).toEqual(['load', '▁█▄ min 1  max 9  last 4'])
  const plotted = linesOf({ type: 'line', series })
  expect(plotted).toHaveLength(10)
  expect(plotted.at(-1)).toMatch(/^ +mon +mon$/)
  expect(linesOf({ type: 'table', series })).toEqual([
    '┌───────┬───────┐',
    '│ label │ value │',
    '├───────┼───────┤',
    '│ mon   │     1 │',
    '│ tue   │     9 │',
    '│ mon   │     4 │',
    '└───────┴───────┘',
  ])
})

test.each(['bar', 'line', 'sparkline', 'table'] as const)(
  'draws a %s chart of no values, one value, and equal values',
  (type) => {
    expect(linesOf({ type, data: {} })).toEqual(['(no data)'])
    expect(linesOf({ type, series: [], title: 'load' })).toEqual(['load: (no data)'])
    expect(linesOf({ type, data: { a: 3 } }).join('')).toContain('3')
    expect(linesOf({ type, data: { a: 0, b: 0 } }).join('')).toContain('0')
  },
)

test('shows values that are not numbers and leaves them out of the scale', () => {
  const odd = { a: 1, b: 'x', c: null, d: ' 2.5 ', e: '1e999', f: true, g: Number.NaN }
  const lines = linesOf({ data: odd, width: 10 })
  expect(lines).toEqual([
    'a ████         1',
    'b              –',
    'c              –',
    'd ██████████ 2.5',
    'e              –',
    'f              –',
    'g              –',
    '5 values are not numbers',
  ])
  expect(linesOf({ data: { a: 'x' } })).toEqual([`a${' '.repeat(38)}–`, '1 value is not a number'])
  for (const type of ['line', 'sparkline'] as const) {
    expect(linesOf({ type, data: { a: 'x' } })).toEqual(['–', '1 value is not a number'])
  }
})

test('JavaScript reorders labels that look like whole numbers, and the text says so', () => {
  const note = 'labels that are whole numbers come first and in their order; series keeps any order'
  expect(linesOf({ data: { '2024': 1, '2023': 2 } }, { width: 100 }).at(-1)).toBe(note)
  expect(
    linesOf({
      series: [
        { label: 2024, value: 1 },
        { label: '2023', value: 2 },
      ],
    }).join(),
  ).not.toContain('order')
})

test('clamps the width, and the text says so', () => {
  expect(linesOf({ data: { a: 1 }, width: 3 })).toEqual([`a ${'█'.repeat(10)} 1`, 'width 3 was taken as 10'])
  expect(linesOf({ data: { a: 1 }, width: 900 }, { width: 60 })).toEqual([
    `a ${'█'.repeat(56)} 1`,
    'width 900 was taken as 500',
  ])
})

test('draws only ASCII on a terminal without Unicode', () => {
  for (const type of ['bar', 'line', 'sparkline', 'table'] as const) {
    expect(
      linesOf({ type, series: [...series, { label: 'x', value: null }] }, { unicode: false }).join('\n'),
    ).toMatch(/^[\x20-\x7e\n]+$/)
  }
})

test('cleans labels and titles', () => {
  const lines = linesOf({ data: { 'a\x1b[31m\nb': 1 }, title: 'x\x07\ny' })
  expect(lines[0]).toBe('x y')
  expect(lines[1]).toMatch(/^a b █/)
})

test('a line chart has its first and last label below its ends, also in narrow space', () => {
  const days = (first: string, last: string) => [
    { label: first, value: 1 },
    { label: 'x', value: 5 },
    { label: last, value: 2 },
  ]
  const last = (first: string, end: string, width: number) =>
    linesOf({ type: 'line', series: days(first, end), width }).at(-1) ?? ''
  expect(last('Jan', 'Dec', 20)).toBe('    Jan              Dec')
  for (const width of [10, 13, 40]) {
    for (const [a, b] of [
      ['a', 'b'],
      ['a long label indeed', 'another long label'],
      ['漢字漢字漢字', '漢字'],
      ['', 'b'],
    ]) {
      const rows = linesOf({ type: 'line', series: days(a as string, b as string), width })
      const widest = Math.max(...rows.slice(0, -1).map((row) => [...row].length))
      expect([...(rows.at(-1) ?? '')].length).toBeLessThanOrEqual(Math.max(widest, width + 6))
    }
  }
  expect(linesOf({ type: 'line', series: days('', '') })).toHaveLength(9)
})

test('a missing value leaves a gap in a sparkline and counts as nothing', () => {
  const of = (...values: unknown[]) =>
    linesOf({ type: 'sparkline', series: values.map((value, i) => ({ label: `${i}`, value })) })[0]
  expect(of(1, null, 9)).toBe('▁ █ min 1  max 9  last 9')
  expect(of(null, 1, 9, 'x')).toBe(' ▁█  min 1  max 9  last 9')
  expect(of(5, null, 5)).toBe('▄ ▄ min 5  max 5  last 5')
})
