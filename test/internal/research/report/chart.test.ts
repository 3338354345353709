import { expect, it } from 'vitest'
import { axisTicks, drawRunChart } from '../../../../internal/research/report/chart.ts'
import { header, run, viewOf } from './sample.ts'

it.each([
  [0, 100, [0, 20, 40, 60, 80, 100]],
  [18, 140, [20, 40, 60, 80, 100, 120, 140]],
  [-0.31, 0.41, [-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4]],
  [5940.2, 5961.3, [5942, 5944, 5946, 5948, 5950, 5952, 5954, 5956, 5958, 5960]],
])('ticks from %d to %d', (low, high, expected) => {
  expect(axisTicks(low, high)).toEqual(expected)
})

it('has between four and ten ticks at any scale', () => {
  for (const span of [1e-9, 0.013, 0.99, 1, 7.3, 9.99, 1234, 5e12]) {
    for (const low of [0, -span / 3, span * 7.1]) {
      const count = axisTicks(low, low + span).length
      expect([span, low, count >= 4 && count <= 11]).toEqual([span, low, true])
    }
  }
})

it('draws a step for every kept run, and nothing without runs', () => {
  const kept = [
    run(1, { status: 'baseline', metric: 10 }),
    run(2, { status: 'keep', metric: 5 }),
    run(3, { metric: 7 }),
  ]
  const path = /class="best" d="([^"]+)"/.exec(drawRunChart(viewOf([header, ...kept])))?.[1]
  expect(path?.match(/H/g)).toHaveLength(2)
  expect(path?.match(/V/g)).toHaveLength(1)
  expect(drawRunChart(viewOf([header]))).toBe('')
})
