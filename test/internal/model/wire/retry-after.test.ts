// The wait before a retry: headers, fields of an error, sentences, and numbers with another meaning.
import { expect, test } from 'vitest'
import { retryAfter, waitInBody } from '../../../../internal/model/wire/retry-after.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

test.each([
  ['2', 2000],
  ['0', 0],
  ['-5', 0],
  ['0.25', 250],
  ['30s', 30_000],
  ['1m30s', 90_000],
  ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
  ['Thursday, 01-Jan-26 00:00:05 GMT', 5000],
  ['Thu Jan  1 00:00:05 2026', 5000],
  ['2026-01-01T00:00:05Z', 5000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
  ['2 models', undefined],
  ['', undefined],
  ['Infinity', undefined],
])('Retry-After: %s', (value, ms) => {
  expect(retryAfter({ 'retry-after': value }, now)).toBe(ms)
})

test('prefers the header in milliseconds', () => {
  expect(retryAfter({ 'retry-after-ms': '40', 'retry-after': '2' }, now)).toBe(40)
  expect(retryAfter({}, now)).toBeUndefined()
})

const amounts: [string, number][] = [
  ['11.5s', 11_500],
  ['20 seconds', 20_000],
  ['500ms', 500],
  ['1m30s', 90_000],
  ['6m0s', 360_000],
  ['2 minutes', 120_000],
  ['1 minute and 5 seconds', 65_000],
  ['1h2m3.5s', 3_723_500],
  ['1 hour, 5 minutes', 3_900_000],
  ['59.762000000s', 59_762],
]
const sentences = [
  'Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in %. Visit the page.',
  'Too many requests. Please retry after %.',
  'Please retry in %',
  'You have to wait % before the next request',
  'Try again after %!',
  'The quota resets in %',
]

test.each(amounts)('reads a sentence with %s', (amount, ms) => {
  for (const sentence of sentences) {
    const words = sentence.replace('%', amount)
    expect(waitInBody(undefined, words, now), words).toBe(ms)
  }
})

test.each([
  ['Please retry after 20', 20_000],
  ['Try again at 2026-01-01T00:00:05Z.', 5000],
  ['Try again later', undefined],
  ['Try again with 3 messages', undefined],
  ['Limit 30000, used 29000 in 60s', undefined],
  ['retry with gpt-5 mini', undefined],
])('reads the wait from "%s"', (words, ms) => {
  expect(waitInBody(undefined, words, now)).toBe(ms)
})

test.each([
  [{ error: { retry_after: 3 } }, 3000],
  [{ error: { retry_after: '3' } }, 3000],
  [{ error: { retry_after_ms: 3 } }, 3],
  [{ error: { retryAfter: '1m' } }, 60_000],
  [{ error: { details: [{ '@type': 'x' }, { '@type': 'RetryInfo', retryDelay: '11s' }] } }, 11_000],
  [{ error: { metadata: { headers: { 'Retry-After': '7' } } } }, 7000],
  [{ error: { retry_after: null, message: 'm' } }, undefined],
  [{ error: { retry_after: 'Infinity' } }, undefined],
  [{ error: { retries: 3 } }, undefined],
])('reads the field in %j', (body, ms) => {
  expect(waitInBody(body, '', now)).toBe(ms)
})
