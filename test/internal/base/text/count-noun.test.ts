// Counts of one thing, of none and of many.
import { expect, test } from 'vitest'
import { countNoun } from '../../../../internal/base/text/count-noun.ts'

test.each([
  [0, '0 files', '0 matches'],
  [1, '1 file', '1 match'],
  [2, '2 files', '2 matches'],
  [1_234, '1,234 files', '1,234 matches'],
])('%i', (n, files, matches) => {
  expect(countNoun(n, 'file')).toBe(files)
  expect(countNoun(n, 'match', 'matches')).toBe(matches)
})
