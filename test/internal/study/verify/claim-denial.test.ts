// Denials: found when one side alone denies, and not when both say it in other words.
import { describe, expect, it } from 'vitest'
import { deniesProgram, isDenialOnOneSide } from '../../../../internal/study/verify/claim-denial.ts'

describe('prose', () => {
  it.each([
    ['The limit is not checked.', 'The limit is checked.', true],
    ['The limit is checked.', 'The limit is never checked.', true],
    ['The header is not refused.', 'The header is refused.', true],
    ['It does not allow headers.', 'Headers are forbidden.', false],
    ['Headers are refused.', 'It does not accept headers.', false],
    ['It is not checked.', 'It is never checked.', false],
    ['It takes no more than 5.', 'It takes 5 at most.', false],
    ['A run without errors exits.', 'If it goes well, the program exits.', false],
    ['The result is stored for ever.', 'The result never expires.', false],
  ])('%j and %j: %s', (claim, sentence, isDenied) => {
    expect(isDenialOnOneSide(claim, sentence)).toBe(isDenied)
  })
})

describe('programs', () => {
  it.each([
    ['The job is not closed.', 'job.close()', true],
    ['The job is not retried.', 'retry = False', false],
    ['The key is not written.', 'json:"-"', false],
    ['If no key is set, the limit is 20.', 'limit = env("KEY") or 20', false],
    ['The job is closed.', 'job.close()', false],
  ])('%j and %j: %s', (claim, code, isDenied) => expect(deniesProgram(claim, code)).toBe(isDenied))
})
