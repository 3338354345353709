// Every end of a subagent, with and without text: only work that was done is no failure.
import { expect, test } from 'vitest'
import { subagentFailure } from '../../../internal/tool-support/subagent-failure.ts'

const ends = ['done', 'partial', 'limit', 'cancelled', 'failed'] as const

test.each(ends.flatMap((end) => ['', ' \n', 'So far.'].map((text) => [end, text] as const)))(
  '%s with %j',
  (end, text) => {
    const hasText = text.trim() !== ''
    const isFine = hasText && end !== 'cancelled' && end !== 'failed'
    expect(subagentFailure({ end, text, reason: undefined }) === undefined).toBe(isFine)
    if (end === 'cancelled') expect(subagentFailure({ end, text, reason: undefined })).toBe('cancelled')
    if (end === 'failed') expect(subagentFailure({ end, text, reason: undefined })).toBe('run_failed')
  },
)

test('a denied call and a limit are told apart where there is no text', () => {
  expect(subagentFailure({ end: 'limit', text: '', reason: 'denied' })).toBe('denied')
  expect(subagentFailure({ end: 'limit', text: '', reason: 'time' })).toBe('limit_reached')
})
