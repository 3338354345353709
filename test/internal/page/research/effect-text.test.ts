// Measured values in few characters.
import { expect, it } from 'vitest'
import { formatChange, formatEffect, formatValue } from '../../../../internal/page/research/effect-text.ts'
import { verdictOf } from '../../../../internal/page/research/run-verdict.ts'

it('shows a change with its sign and its interval, or nothing without a change', () => {
  expect(formatEffect({ pct: -6.21, ci: [-8.1, 4], unit: null })).toBe('-6.2 % [-8.1, +4.0]')
  expect(formatEffect({ pct: 3, ci: [1, 4], unit: 'absolute' })).toBe('+3.0 [+1.0, +4.0]')
  expect(formatEffect({ pct: null, ci: null, unit: null })).toBe('')
  expect([null, 'absolute' as const].map((unit) => formatChange({ pct: 3, unit }))).toEqual([
    '+3.0 %',
    '+3.0',
  ])
  expect(formatValue(66.210_987)).toBe('66.211')
})

it('knows three verdicts', () => {
  const verdicts = ['baseline', 'keep', 'discard', 'crash', 'checks_failed'].map(verdictOf)
  expect(verdicts).toEqual(['kept', 'kept', 'same', 'broken', 'broken'])
})
