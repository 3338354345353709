// One segment: tokens and the bounds within a name.
import { expect, test } from 'vitest'
import { bytesOfText } from '../../../../../internal/base/text/byte-name.ts'
import { matchSegment, parseSegment } from '../../../../../internal/base/text/glob/glob-segment.ts'

test('splits a segment into tokens', () => {
  expect(parseSegment('a\\*b**?[!x-z]')).toEqual([
    { kind: 'text', text: 'a*b' },
    { kind: 'star' },
    { kind: 'any' },
    { kind: 'class', not: true, fold: false, ranges: [[120, 122]] },
  ])
})

test.each([
  ['b', true],
  ['b*', true],
  ['*c', false],
  ['?', true],
  ['', false],
])('%s between the slashes of a/b/c', (pattern, expected) => {
  expect(matchSegment(parseSegment(pattern), 'a/b/c', 2, 3)).toBe(expected)
})

test('a character of several bytes counts as one character', () => {
  const name = bytesOfText('😀é')
  expect(matchSegment(parseSegment('??'), name, 0, name.length)).toBe(true)
  expect(matchSegment(parseSegment('???'), name, 0, name.length)).toBe(false)
  expect(matchSegment(parseSegment('*é'), name, 0, name.length)).toBe(true)
})
