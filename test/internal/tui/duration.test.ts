// Durations in the unit that keeps them short, without 60 s or 1000 ms, and in the notation of users.
import { expect, test } from 'vitest'
import { formatDuration, parseDuration } from '../../../internal/tui/duration.ts'

test.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [2500, '2.5 s'],
  [59_949, '59.9 s'],
  [59_960, '1:00 min'],
  [161_000, '2:41 min'],
  [3_600_000, '60:00 min'],
])('%d ms is %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test.each([
  ['90s', 90_000],
  [' 20m ', 1_200_000],
  ['1h', 3_600_000],
  ['250ms', 250],
  ['1.5m', 90_000],
  ['30', 30_000],
])('%j is %d ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each(['', '0', '0s', '-5s', '5 s', '1d', '1h30m', 'soon'])('rejects %j as a duration', (text) => {
  expect(() => parseDuration(text)).toThrow(`${text} is not a length of time`)
})
