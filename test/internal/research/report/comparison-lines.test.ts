// Text of a comparison: the verdict first, a row for each metric, the control, and advice where it is undecided.
import { expect, it } from 'vitest'
import {
  comparisonLines,
  comparisonSummary,
  sideName,
} from '../../../../internal/research/report/comparison-lines.ts'
import { comparisonRecord, hiddenMetric, metricRow } from '../../../support/comparison.ts'

const cpu = metricRow()
const wall = hiddenMetric()
const record = comparisonRecord()

it('shows the verdict, a row for each metric, and the control', () => {
  expect(comparisonLines(record)).toEqual([
    'loss: the working tree against main (1111111111)  (18 rounds, 12 s, isolated)',
    'loss         cpu_ms   48.5 -> 50.9         +4.9 % (4.4 to 5.6)    ▇▇▇▇▇▇▇▇▇▇  18 rounds, p 0.0078, confirmed',
    '(undecided)  wall_ms  48.5 -> 50.9         -2.4 % (-9.0 to 12.0)  ▇▇▇▇▇       spread 46.0 %',
    'control      cpu_ms   base against itself  0.0 % (-0.3 to 0.3)',
  ])
})

it.each([
  [
    'noise',
    'wall_ms',
    'wall_ms: needs about 700 rounds. Measure cpu_ms, let the command work longer, or use a quieter machine.',
  ],
  [
    'noise',
    'cpu_ms',
    'cpu_ms: needs about 700 rounds. Let the command work longer, or use a quieter machine.',
  ],
  ['budget', 'ns', 'ns: needs about 700 rounds. Raise --budget.'],
  ['control moved', 'ns', 'ns: the machine changed during the measurement. Run the comparison again.'],
] as const)('advises what to do where %s hides %s', (reason, name, line) => {
  const metrics = [{ ...wall, reason, name, decides: true }]
  expect(comparisonLines({ ...record, verdict: 'undecided', metrics }).at(-1)).toBe(line)
})

it.each([64, 80, 92, 100, 120, 200])('the table fits %i columns, with all evidence', (columns) => {
  const table = comparisonLines(record, columns).slice(1)
  expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(columns)
  const words = (lines: readonly string[]) => lines.join(' ').replaceAll(/[▇\s]+/g, ' ')
  expect(words(table)).toBe(words(comparisonLines(record).slice(1)))
})

it('says that equal sides were not measured, and why', () => {
  const notes = ['both sides have the same files']
  const none = { ...record, verdict: 'same' as const, measured: false, metrics: [], notes }
  expect(comparisonLines(none)).toEqual([
    'same: the working tree against main (1111111111), not measured',
    'note: both sides have the same files',
  ])
  expect(comparisonSummary(none)).not.toContain('cpu_ms')
})

it('shows a change from 0 in the unit of the metric, without a percentage', () => {
  const metrics = [
    { ...cpu, unit: 'absolute' as const, base: 0, head: 3, pct: 3, ci: [3, 3] as [number, number] },
  ]
  const row = comparisonLines({ ...record, metrics })[1]
  expect(row).toContain('0 -> 3')
  expect(row).not.toContain('%')
})

it.each([
  ['1111111111', '1111111111111111', '1111111111'],
  ['1111', '1111111111111111', '1111111111'],
  ['HEAD~1', '2222222222222222', 'HEAD~1 (2222222222)'],
  ['HEAD~1^{tree}', undefined, 'HEAD~1^{tree} (tree 3333333333)'],
  ['33333', undefined, 'tree 3333333333'],
  ['.', undefined, 'the working tree'],
])('names the side %s of the commit %s', (name, commit, expected) => {
  expect(sideName({ name, tree: '3333333333333333', commit })).toBe(expected)
})

it('sums up a comparison in one line', () => {
  expect(comparisonSummary(record)).toBe(
    '0a1b2c3d  2026-11-27 10:00  loss  main (1111111111) -> the working tree  cpu_ms +4.9 % (4.4 to 5.6)',
  )
})
