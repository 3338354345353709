// Lines as locators name them.
import { expect, it } from 'vitest'
import { parseLineRanges } from '../../../../internal/study/verify/line-ranges.ts'

it.each([
  ['4', [{ from: 4, to: 4 }]],
  [
    '1-3, 9',
    [
      { from: 1, to: 3 },
      { from: 9, to: 9 },
    ],
  ],
  ['page 3', undefined],
  ['', undefined],
])('rangesOf %j', (locator, expected) => expect(parseLineRanges(locator)).toEqual(expected))
