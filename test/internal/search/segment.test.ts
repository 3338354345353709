// One segment: tokens and the bounds within a name.
import { expect, test } from 'vitest'
import { nameOf } from '../../../internal/search/name.ts'
import { matches, segment } from '../../../internal/search/segment.ts'

test('tokens', () => {
  expect(segment('a\\*b**?[!x-z]')).toEqual([
    { kind: 'text', text: 'a*b' },
    { kind: 'star' },
    { kind: 'any' },
    { kind: 'class', not: true, ranges: [[120, 122]] },
  ])
})

test.each([
  ['b', true],
  ['b*', true],
  ['*c', false],
  ['?', true],
  ['', false],
])('%s between the slashes of a/b/c', (pattern, expected) => {
  expect(matches(segment(pattern), 'a/b/c', 2, 3)).toBe(expected)
})

test('a character of several bytes counts as one', () => {
  const name = nameOf('😀é')
  expect(matches(segment('??'), name, 0, name.length)).toBe(true)
  expect(matches(segment('???'), name, 0, name.length)).toBe(false)
  expect(matches(segment('*é'), name, 0, name.length)).toBe(true)
})
