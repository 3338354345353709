// Measured values in few characters.
import { expect, it } from 'vitest'
import { formatEffect, formatValue } from '../../../../internal/page/research/effect-text.ts'
import { verdictOf } from '../../../../internal/page/research/run-verdict.ts'

it('shows a change with its sign and its interval, or nothing without a change', () => {
  expect(formatEffect(-6.21, [-8.1, 4])).toBe('-6.2 % [-8.1, +4.0]')
  expect(formatEffect(null, null)).toBe('')
  expect(formatValue(66.210_987)).toBe('66.211')
})

it('knows three verdicts', () => {
  const verdicts = ['baseline', 'keep', 'discard', 'crash', 'checks_failed'].map(verdictOf)
  expect(verdicts).toEqual(['kept', 'kept', 'same', 'broken', 'broken'])
})
