import { expect, it } from 'vitest'
import {
  formatAmount,
  formatChange,
  formatOutcome,
  formatProbability,
  formatRunLine,
  formatSigned,
  reasonWords,
} from '../../../../internal/research/report/format.ts'
import { run } from './sample.ts'

const effect = { pct: -13.66, ci: [-24.6, -5.7] as [number, number], p: 0.004, pairs: 8, confirmed: true }

it.each([
  [formatAmount(84.912), '84.91'],
  [formatAmount(5950, 'B'), '5950 B'],
  [formatAmount(123456.7, 'ms'), '123457 ms'],
  [formatAmount(0.00012346), '0.0001235'],
  [formatAmount(-0), '0'],
  [formatSigned(-13.66), '-13.7%'],
  [formatSigned(2), '+2.0%'],
  [formatSigned(0.01), '0.0%'],
  [formatSigned(-0.01), '0.0%'],
  [formatSigned(-2, { unit: 'absolute' }), '-2.0'],
  [formatSigned(3e7), '+3.0e+7%'],
  [formatChange(effect), '-13.7%  95% [-24.6, -5.7]  p 0.004'],
  [formatChange({ ...effect, ci: [-13.66, -13.66] }), '-13.7%'],
  [formatProbability(0), '0'],
  [formatProbability(0.00024993), '0.00025'],
  [formatProbability(0.00001), '1.0e-5'],
  [reasonWords('gain'), 'improved'],
  [reasonWords('below_min_effect'), 'below min effect'],
  [reasonWords('guard:cpu_us'), 'guard:cpu_us'],
  [
    formatOutcome({ status: 'keep', reason: 'single_sample', evidence: 'single_sample' }),
    'keep, single sample',
  ],
  [
    formatOutcome({ status: 'keep', reason: 'gain', evidence: 'paired', suspect: true }),
    'keep, improved, looks implausible',
  ],
  [formatOutcome({ status: 'checks_failed', reason: 'checks', evidence: 'paired' }), 'checks failed'],
  [
    formatOutcome({ status: 'checks_failed', reason: 'timeout', evidence: 'paired' }),
    'checks failed, timeout',
  ],
  [formatOutcome({ status: 'baseline', reason: 'baseline', evidence: 'paired' }), 'baseline'],
])('%s', (text, expected) => expect(text).toBe(expected))

it('says of a value and its change that the change was measured in pairs', () => {
  const line = run(4, { status: 'discard', reason: 'worse', metric: 16.27, effect: { ...effect, pct: 13 } })
  expect(formatRunLine(line, 'ms')).toMatch(
    /^run 4 .*16\.27 ms {2}paired \+13\.0% {2}95% .*-> discard, worse$/,
  )
})
