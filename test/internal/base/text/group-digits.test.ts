// Numbers get a comma at every third digit, as the locale would have it.
import { expect, test } from 'vitest'
import { groupDigits } from '../../../../internal/base/text/group-digits.ts'

test.each([0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 9_876_543_210])('%i', (n) => {
  expect(groupDigits(n)).toBe(n.toLocaleString('en-US'))
})
