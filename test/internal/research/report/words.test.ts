import { expect, it } from 'vitest'
import {
  amount,
  change,
  outcome,
  probability,
  reasonWords,
  signed,
} from '../../../../internal/research/report/words.ts'

const effect = { pct: -13.66, ci: [-24.6, -5.7] as [number, number], p: 0.004, pairs: 8, confirmed: true }

it.each([
  [amount(84.912), '84.91'],
  [amount(5950, 'B'), '5950 B'],
  [amount(123456.7, 'ms'), '123457 ms'],
  [amount(0.00012346), '0.0001235'],
  [amount(-0), '0'],
  [signed(-13.66), '-13.7%'],
  [signed(2), '+2.0%'],
  [signed(0.01), '0.0%'],
  [signed(-0.01), '0.0%'],
  [signed(-2, { unit: 'absolute' }), '-2.0'],
  [signed(3e7), '+3.0e+7%'],
  [change(effect), '-13.7%  95% [-24.6, -5.7]  p 0.004'],
  [change({ ...effect, ci: [-13.66, -13.66] }), '-13.7%'],
  [probability(0), '0'],
  [probability(0.00024993), '0.00025'],
  [probability(0.00001), '1.0e-5'],
  [reasonWords('gain'), 'improved'],
  [reasonWords('below_min_effect'), 'below min effect'],
  [reasonWords('guard:cpu_us'), 'guard:cpu_us'],
  [outcome({ status: 'keep', reason: 'single_sample', evidence: 'single_sample' }), 'keep, single sample'],
  [outcome({ status: 'checks_failed', reason: 'checks', evidence: 'paired' }), 'checks failed'],
  [outcome({ status: 'checks_failed', reason: 'timeout', evidence: 'paired' }), 'checks failed, timeout'],
  [outcome({ status: 'baseline', reason: 'baseline', evidence: 'paired' }), 'baseline'],
])('%s', (text, expected) => expect(text).toBe(expected))
