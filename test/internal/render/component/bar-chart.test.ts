// BarChart: numbers, shares, width.
import { expect, test } from 'vitest'
import { codes, draw } from '../draw.ts'

const data = [
  { label: 'a', value: 3 },
  { label: 'b', value: -1 },
]

const cases: [object, string[]][] = [
  [{ data, width: 8 }, ['a   ██████  3', 'b ██       -1']],
  [{ data, width: 8, showValues: false }, ['a   ██████', 'b ██']],
  [{ data, width: 8, showPercentage: true }, ['a   ██████  3 (75%)', 'b ██       -1 (25%)']],
  [{ data, width: 8, showValues: false, showPercentage: true }, ['a   ██████ 75%', 'b ██       25%']],
  [{ data: [] }, ['(no data)']],
  [{ data: [{ label: 'z', value: 0 }], width: 3, showPercentage: true }, ['z     0 (0%)']],
]

test.each(cases)('draws a bar chart with %j', (props, lines) => {
  expect(draw('BarChart', props)).toEqual(lines)
})

test('is thirty cells wide by default', () => {
  expect(draw('BarChart', { data: [{ label: 'a', value: 1 }] }, { width: 80 })).toEqual([
    `a ${'█'.repeat(30)} 1`,
  ])
})

test('computes shares of numbers whose sum exceeds a double', () => {
  const huge = [
    { label: 'a', value: 1.7e308 },
    { label: 'b', value: 1.7e308 },
  ]
  expect(draw('BarChart', { data: huge, width: 1, showValues: false, showPercentage: true })).toEqual([
    'a █ 50%',
    'b █ 50%',
  ])
})

test('uses one color for each bar', () => {
  const colored = [{ label: 'a', value: 1, color: 'red' }]
  expect(draw('BarChart', { data: colored, width: 1 }, { color: 1 })).toEqual(['a \x1b[31m█\x1b[39m 1'])
  expect(
    codes({ x: { type: 'BarChart', props: { data: [{ label: 'a', value: 1, color: 'no' }] } } }),
  ).toEqual(['bad_color'])
})

test('plain output has one line without bars', () => {
  expect(draw('BarChart', { data }, { plain: true })).toEqual(['a: 3; b: -1'])
  expect(draw('BarChart', { data: [] }, { plain: true })).toEqual(['(no data)'])
})

test('counts the bars that exceed the limit', () => {
  const many = Array.from({ length: 25_000 }, (_, i) => ({ label: String(i), value: 1 }))
  const lines = draw('BarChart', { data: many })
  expect(lines).toHaveLength(20_000)
  expect(lines.at(-1)).toBe('… 5,001 more bars')
  expect(codes({ x: { type: 'BarChart', props: { data: many } } })).toEqual(['truncated_rows'])
  expect(draw('BarChart', { data: many }, { all: true })).toHaveLength(25_000)
})
