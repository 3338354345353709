// Counts of one thing, of none and of many.
import { expect, test } from 'vitest'
import { countNoun, formatByteSize, groupDigits } from '../../../../internal/base/text/count-noun.ts'

test.each([
  [0, '0 files', '0 matches'],
  [1, '1 file', '1 match'],
  [2, '2 files', '2 matches'],
  [1_234, '1,234 files', '1,234 matches'],
])('%i', (n, files, matches) => {
  expect(countNoun(n, 'file')).toBe(files)
  expect(countNoun(n, 'match', 'matches')).toBe(matches)
})

// Numbers get a comma at every third digit, as the locale would have it.

test.each([0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 9_876_543_210])('%i', (n) => {
  expect(groupDigits(n)).toBe(n.toLocaleString('en-US'))
})

// Sizes as users read them, at every border between two units.

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 KB'],
  [9_240, '9 KB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [1_449_000, '1.4 MB'],
  [9_960_000, '10 MB'],
  [16_000_000, '16 MB'],
  [2_500_000_000, '2.5 GB'],
  [5e15, '5000 TB'],
])('%d is %s', (bytes, text) => expect(formatByteSize(bytes)).toBe(text))
