// Checks when two statements contradict each other.
import { expect, test } from 'vitest'
import { findContradictoryPairs, textsDiffer } from '../../../internal/text-analysis/contradictions.ts'

const pairs: [string, string, boolean][] = [
  ['The lease lasts 30 seconds.', 'The lease lasts 45 seconds.', true],
  ['The lease lasts 30 seconds.', 'The lease lasts 30 seconds.', false],
  ['The lease lasts 1,000 ms.', 'The lease lasts 1000 ms.', false],
  ['The lease lasts long.', 'The lease lasts 30 seconds.', false],
  ['The store locks files.', 'The store does not lock files.', true],
  ['The store locks files.', "The store doesn't lock files.", true],
  ['It never waits.', 'It cannot wait.', false],
  ['Read notes on nothing.', 'Read notes.', false],
  ['Uses sha256 here.', 'Uses sha512 here.', false],
]
test.each(pairs)('%s / %s', (a, b, expected) => {
  expect(textsDiffer(a, b)).toBe(expected)
  expect(textsDiffer(b, a)).toBe(expected)
})

test('only statements about the same can contradict', () => {
  const statements = [
    'The default lease lasts 30 seconds.',
    'The lease lasts 45 seconds by default.',
    'The journal keeps 30 entries.',
    'The journal never keeps entries.',
  ]
  expect(findContradictoryPairs(statements)).toEqual([
    [0, 1],
    [2, 3],
  ])
})
