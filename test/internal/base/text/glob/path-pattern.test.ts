// Paths against patterns without braces.
import { expect, test } from 'vitest'
import { literalIn, pathMatches, readPath } from '../../../../../internal/base/text/glob/path-pattern.ts'

test.each([
  ['a/b', 'a/b', true],
  ['a/b', 'a/b/c', false],
  ['**/b', 'b', true],
  ['**/**/b', 'x/b', true],
  ['a/**', 'a', false],
  ['**/x/**/y', 'x/q/x/y', true],
  ['**/x/y', 'x/x/y', true],
  ['*/*', 'a', false],
])('%s on %s', (pattern, path, expected) => {
  expect(pathMatches(readPath(pattern), path)).toBe(expected)
})

test.each([
  ['**/policy*/**/*.ts', 'policy'],
  ['**/*', ''],
  ['a\\*b/?', 'a*b'],
])('every path that matches %s contains %j', (pattern, literal) => {
  expect(literalIn(readPath(pattern))).toBe(literal)
})
