// The spec of a chart, which draws the same chart again.
import { expect, test } from 'vitest'
import { type ChartInput, drawChart } from '../../../../internal/render/chart/chart.ts'
import { chartSpec } from '../../../../internal/render/chart/chart-spec.ts'
import { render } from '../../../../internal/render/render.ts'
import { look, options } from '../draw.ts'

const series = [
  { label: 'a', value: -3 },
  { label: 'b', value: '2' },
  { label: 'c', value: 0.1 },
]

function both(input: ChartInput) {
  const drawn = drawChart(input, look)
  if (!drawn.ok) throw new Error(drawn.message)
  const again = render(chartSpec(input, drawn.points), options)
  return { drawn: drawn.lines, again: again.lines, issues: [...again.errors, ...again.warnings] }
}

test.each(['bar', 'sparkline', 'table'] as const)('the spec of a %s chart draws the same lines', (type) => {
  for (const title of [undefined, 'load']) {
    const { drawn, again, issues } = both({ type, series, title, width: 20 })
    expect(again).toEqual(drawn)
    expect(issues).toEqual([])
  }
})

test('a line chart becomes a sparkline', () => {
  const { again, issues } = both({ type: 'line', series, width: 20 })
  expect(again).toEqual(['▁█▅ min -3  max 2  last 0.1'])
  expect(issues).toEqual([])
})

test('skips values that are not numbers in bars and shows them in tables', () => {
  const odd = [...series, { label: 'd', value: null }, { label: 'e', value: 'x' }]
  expect(both({ type: 'bar', series: odd, width: 20 }).again).toHaveLength(3)
  expect(both({ type: 'table', series: odd, width: 20 }).again).toHaveLength(9)
})
