// Lengths of time in the unit that keeps them short, without 60 s or 1000 ms.
import { expect, test } from 'vitest'
import { formatDuration } from '../../../internal/tui/duration.ts'

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
