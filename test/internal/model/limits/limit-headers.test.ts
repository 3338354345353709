// Rate limits in the headers of providers, and headers without a limit.
import { expect, test } from 'vitest'
import { readRateLimits } from '../../../../internal/model/limits/limit-headers.ts'

const now = Date.parse('2026-11-01T12:00:00Z')

test('reads the two limits of OpenAI, with durations', () => {
  const headers = {
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '59',
    'x-ratelimit-reset-requests': '1.5s',
    'x-ratelimit-limit-tokens': '150000',
    'x-ratelimit-remaining-tokens': '149984',
    'x-ratelimit-reset-tokens': '6m0s',
  }
  expect(readRateLimits(200, headers, now)).toEqual({
    requests: { limit: 60, remaining: 59, resetMs: 1500 },
    tokens: { limit: 150000, remaining: 149984, resetMs: 60_000 },
  })
})

test('reads the times of Anthropic by the clock of its server', () => {
  const headers = {
    // a quarter of an hour off: only the distance between the two counts
    date: 'Sun, 01 Nov 2026 11:45:00 GMT',
    'anthropic-ratelimit-requests-limit': '50',
    'anthropic-ratelimit-requests-remaining': '0',
    'anthropic-ratelimit-requests-reset': '2026-11-01T11:45:07Z',
    'anthropic-ratelimit-output-tokens-limit': '8000',
    'anthropic-ratelimit-output-tokens-remaining': '7000',
    'anthropic-ratelimit-output-tokens-reset': '2026-11-01T11:45:30Z',
  }
  expect(readRateLimits(200, headers, now)).toEqual({
    requests: { limit: 50, remaining: 0, resetMs: 7000 },
    'output-tokens': { limit: 8000, remaining: 7000, resetMs: 30_000 },
  })
})

test.each([
  ['', '0', '1s'],
  ['-1', '-1', '1s'],
  ['0', '0', '1s'],
  ['10', '11', '1s'],
  ['10', 'none', '1s'],
  ['1e999', '5', '1s'],
  ['10', '5', 'soon'],
  ['10', '5', ''],
])('limit %s, remaining %s, reset %s say nothing', (limit, remaining, reset) => {
  const headers = {
    'x-ratelimit-limit-requests': limit,
    'x-ratelimit-remaining-requests': remaining,
    'x-ratelimit-reset-requests': reset,
  }
  expect(readRateLimits(200, headers, now)).toEqual({})
})

test('a rejection with a wait sets the remaining requests to 0, for a minute at most', () => {
  expect(readRateLimits(429, { 'retry-after': '3' }, now).requests).toMatchObject({
    remaining: 0,
    resetMs: 3000,
  })
  expect(readRateLimits(429, { 'retry-after': '86400' }, now).requests?.resetMs).toBe(60_000)
  expect(readRateLimits(200, { 'retry-after': '3' }, now)).toEqual({})
})

test.each([
  [
    'the wait of its text',
    {},
    20_000,
    { requests: { limit: 1, remaining: 0, resetMs: 20_000, isGuess: true } },
  ],
  ['a short pause', {}, undefined, { requests: { limit: 1, remaining: 0, resetMs: 250, isGuess: true } }],
  [
    'the reset of the limit that is used up',
    {
      'x-ratelimit-limit-tokens': '9',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '7s',
    },
    undefined,
    { tokens: { limit: 9, remaining: 0, resetMs: 7_000 } },
  ],
])('a rejection without a wait in its headers means %s', (_, headers, wait, limits) => {
  expect(readRateLimits(429, headers, now, wait)).toEqual(limits)
  expect(readRateLimits(503, {}, now, wait)).toEqual({})
})
