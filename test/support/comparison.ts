// A finished comparison for tests of its reports: one metric that decides, one that is shown.
import type { ComparisonRecord, MetricComparison } from '../../internal/research/compare/comparison.ts'

export function metricRow(over: Partial<MetricComparison> = {}): MetricComparison {
  return {
    name: 'cpu_ms',
    direction: 'lower',
    decides: true,
    verdict: 'loss',
    base: 48.5,
    head: 50.9,
    pct: 4.9,
    ci: [4.4, 5.6],
    p: 0.0078,
    rounds: 18,
    confirmed: true,
    confirm_p: 0.001,
    spread_pct: 0.9,
    control: { pct: -0.04, ci: [-0.3, 0.3], moved: false },
    ...over,
  }
}

/** A metric whose change the noise hides. */
export const hiddenMetric = (over: Partial<MetricComparison> = {}): MetricComparison =>
  metricRow({
    name: 'wall_ms',
    decides: false,
    verdict: 'undecided',
    reason: 'noise',
    pct: -2.4,
    ci: [-9, 12],
    spread_pct: 46,
    rounds_needed: 700,
    ...over,
  })

export function comparisonRecord(over: Partial<ComparisonRecord> = {}): ComparisonRecord {
  return {
    v: 1,
    id: '0a1b2c3d',
    timestamp: '2026-11-27T10:00:00.000Z',
    base: { name: 'main', tree: 'a', commit: '1111111111111111' },
    head: { name: '.', tree: 'b' },
    command: './bench',
    measured: true,
    verdict: 'loss',
    metrics: [metricRow(), hiddenMetric()],
    rounds: 18,
    executions: 56,
    seconds: 12.4,
    isolation: 'wall',
    sealed: [],
    notes: [],
    ...over,
  }
}
