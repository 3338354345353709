// Opposite words: found when they make the statements differ, and not when both say the same in other words.
import { describe, expect, it } from 'vitest'
import { areOpposite, isSetOpposite } from '../../../../internal/study/verify/claim-opposites.ts'

const opposites = [
  ...(['enabled disabled', 'activated deactivated', 'turned on/turned off', 'allowed forbidden'] as const),
  ...(['permitted denied', 'accepted rejected', 'included excluded', 'required optional'] as const),
  ...(['synchronous asynchronous', 'public private', 'mutable immutable', 'encrypted unencrypted'] as const),
  ...(['sorted unsorted', 'case-sensitive case-insensitive', 'kept discarded', 'unlimited limited'] as const),
].map((words) => words.split(words.includes('/') ? '/' : ' ') as [string, string])
const frames = [
  (word: string) => `By default the compression of segments is ${word}.`,
  (word: string) => `In this mode, entries of the cache are **${word}**.`,
  (word: string) => `Tracing is not ${word} for workers.`,
]

describe('prose', () => {
  it('statements that differ in one pair of opposite words are opposite, the same words are not', () => {
    for (const [one, other] of opposites)
      for (const frame of frames) {
        expect([one, areOpposite(frame(one), frame(other))]).toEqual([one, true])
        expect([one, areOpposite(frame(other), frame(one))]).toEqual([one, true])
        expect([one, areOpposite(frame(one), frame(one))]).toEqual([one, false])
        expect([one, areOpposite(frame(other), frame(other))]).toEqual([one, false])
      }
  })

  it.each([
    ['At most 8 headers are accepted.', 'More than 8 headers are rejected.'],
    ['The queue keeps the newest entries.', 'The queue drops the oldest entries.'],
    ['Headers are not accepted.', 'Headers are refused.'],
    ['The cache is disabled.', 'The cache is enabled when a size is set.'],
    ['The cache is only enabled on request.', 'The cache is disabled by default.'],
    ['The switch enables and disables the cache.', 'The cache is disabled.'],
    ['The lock is on the file.', 'The cache is switched off.'],
    ['If tracing is disabled, nothing is sent.', 'Tracing is enabled by default.'],
    ['Entries are sorted.', 'Entries are ordered.'],
  ])('%j and %j may both be true', (claim, sentence) => {
    expect(areOpposite(claim, sentence)).toBe(false)
  })
})

describe('programs', () => {
  it.each([
    ['The cache is disabled by default.', 'cache_enabled = True', true],
    ['Compression is off by default.', '"compression": true', true],
    ['Tracing is enabled.', 'tracing: no', true],
    ['Tracing is enabled.', 'tracing: yes', false],
    ['Empty passwords are permitted.', 'PermitEmptyPasswords no', true],
    ['Root logins are refused.', 'PermitRootLogin yes', true],
    ['Root logins are allowed.', 'PermitRootLogin yes', false],
    ['The cache is enabled.', 'disable_cache = False', false],
    ['The cache is disabled.', 'cache = True\nother = False', false],
    ['The cache is not enabled.', 'cache = True', false],
  ])('%j and %j: %s', (claim, code, isOpposite) => expect(isSetOpposite(claim, code)).toBe(isOpposite))
})
