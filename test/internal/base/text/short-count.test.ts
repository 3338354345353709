// Counts in few characters, at each boundary.
import { expect, test } from 'vitest'
import { shortCount } from '../../../../internal/base/text/short-count.ts'

test.each([
  [999, '999'],
  [1000, '1.0k'],
  [99_949, '99.9k'],
  [99_950, '100k'],
  [999_499, '999k'],
  [999_500, '1.0M'],
])('%d is %s', (n, text) => {
  expect(shortCount(n)).toBe(text)
})
