// The image of a comparison: well-formed, inside its borders, with foreign text as text.

import { parseHTML } from 'linkedom'
import { expect, it } from 'vitest'
import { drawComparison } from '../../../../internal/research/report/comparison-chart.ts'
import { comparisonRecord, hiddenMetric, metricRow } from '../../../support/comparison.ts'

const draw = (over: Parameters<typeof comparisonRecord>[0]) => {
  const svg = drawComparison(comparisonRecord(over))
  return parseHTML(`<html><body>${svg}</body></html>`).document
}

/** Bars of the image without its background. */
const barsOf = (page: ReturnType<typeof draw>) => [...page.querySelectorAll('rect')].slice(1)

it('has a bar for each metric, in the direction of its change, inside the image', () => {
  const metrics = [metricRow(), hiddenMetric(), metricRow({ name: 'up', pct: 40, ci: [35, 45] })]
  const page = draw({ metrics })
  const bars = barsOf(page).map((bar) => ({
    x: Number(bar.getAttribute('x')),
    width: Number(bar.getAttribute('width')),
  }))
  const [up, down, large] = bars as [(typeof bars)[0], (typeof bars)[0], (typeof bars)[0]]
  // all bars touch the line of zero
  expect(down.x + down.width).toBe(up.x)
  expect(large.x).toBe(up.x)
  expect(large.width).toBeGreaterThan(up.width)
  for (const { x, width } of bars) {
    expect(x).toBeGreaterThanOrEqual(230)
    expect(x + width).toBeLessThanOrEqual(600)
  }
  expect(page.querySelectorAll('path')).toHaveLength(3)
})

it('has text and no bar for a metric without a percentage', () => {
  const page = draw({ metrics: [metricRow({ unit: 'absolute', base: 0, head: 3, pct: 3, ci: [3, 3] })] })
  expect(barsOf(page)).toHaveLength(0)
  expect(page.querySelector('svg')?.textContent).toContain('cpu_ms')
})

it('shows the note where nothing was measured', () => {
  const page = draw({
    verdict: 'same',
    measured: false,
    metrics: [],
    notes: ['both sides have the same files'],
  })
  expect(page.querySelector('svg')?.textContent).toContain('both sides have the same files')
})

it.each(['<script>x</script>', '"><g', 'a & b', '\u0007bell', 'x'.repeat(200)])(
  'keeps %j as text',
  (name) => {
    const svg = drawComparison(comparisonRecord({ metrics: [metricRow({ name })] }))
    expect(svg).not.toMatch(/<script|\u0007|"><g/)
    expect(svg.split('\n').filter((line) => line.includes('<path'))).toHaveLength(1)
  },
)
