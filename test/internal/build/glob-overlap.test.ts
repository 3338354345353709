// Globs of scopes: whether two can match the same path, against a search through many paths.
import { expect, it, test } from 'vitest'
import { globsOverlap } from '../../../internal/build/glob-overlap.ts'
import { scopesOverlap } from '../../../internal/build/scope.ts'
import { pathFits } from '../../../internal/policy/rules/rule-pattern.ts'

test.each([
  ['src/api/**', 'src/**', true],
  ['src/api/**', 'src/*.ts', false],
  ['src/**/*.ts', 'src/**/*.css', false],
  ['src/**', 'src/new/file.ts', true],
  ['**/test/*.js', 'src/**', true],
  ['{a,b}/x', 'b/?', true],
  ['a/', 'a/b/c', true],
  ['[ab].ts', 'a.ts', true],
  ['src', 'src/a', false],
])('%s and %s: %s', (first, second, expected) => {
  expect(globsOverlap(first, second)).toBe(expected)
  expect(globsOverlap(second, first)).toBe(expected)
})

it('finds every overlap that a path proves', () => {
  const names = ['a', 'b', '*', '**', 'a*', '?', '*b']
  const globs = names.flatMap((one) => [one, ...names.map((two) => `${one}/${two}`)])
  const texts = ['a', 'b', 'ab', 'bb']
  const paths = texts.flatMap((one) => [
    one,
    ...texts.map((two) => `${one}/${two}`),
    ...texts.map((two) => `${one}/a/${two}`),
  ])
  const missed = globs.flatMap((first) =>
    globs.flatMap((second) => {
      const shared = paths.find((path) => pathFits(first, path, false) && pathFits(second, path, false))
      return shared !== undefined && !globsOverlap(first, second) ? [`${first} ${second} ${shared}`] : []
    }),
  )
  expect(missed).toEqual([])
})

it('compares scopes by files that exist as well', () => {
  expect(scopesOverlap(['app/[id]/page.ts'], ['app/*/page.ts'], ['app/[id]/page.ts'])).toBe(true)
  expect(scopesOverlap(['a/**'], ['b/**'], ['a/1', 'b/1'])).toBe(false)
})
