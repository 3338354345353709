// Globs of scopes: whether two can match the same path, against a search through many paths.
import { expect, it, test } from 'vitest'
import { globsOverlap } from '../../../internal/build/glob-overlap.ts'
import { isInScope, scopesOverlap } from '../../../internal/build/scope.ts'
import { pathFits } from '../../../internal/policy/rules/rule-match.ts'
import { choice, rng } from '../../support/rng.ts'

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

it('finds every overlap of scopes that a path proves, also of files with the text of a glob as their name', () => {
  const names = ['a', '[ab]', '[*]', '?', '*', '{a,b}', '\\[ab\\]', '[[]ab]']
  const globs = names.flatMap((one) => [one, ...names.map((two) => `${one}/${two}`)])
  const texts = ['a', 'b', ...names]
  const paths = texts.flatMap((one) => [one, ...texts.map((two) => `${one}/${two}`)])
  const missed = globs.flatMap((first) =>
    globs.flatMap((second) => {
      const shared = paths.find((path) => isInScope([first], path) && isInScope([second], path))
      return shared !== undefined && !scopesOverlap([first], [second]) ? [`${first} ${second} ${shared}`] : []
    }),
  )
  expect(missed).toEqual([])
  expect(scopesOverlap(['a/**'], ['b/**'])).toBe(false)
})

it('finds every overlap of random globs that a path of the glob engine proves', () => {
  const parts = [
    'a',
    '😀',
    ']',
    '/',
    '?',
    '*',
    '**',
    '**/',
    '[a😀]',
    '[]a]',
    '[!]a]',
    '[^a]',
    '[\\]😀]',
    '\\*',
    '{a,😀b}',
  ]
  const letters = ['a', 'b', '😀', '🎈', ']', '*', '/']
  const random = rng(7)
  const pick = (from: readonly string[], most: number) =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => choice(random, from)).join('')
  const isGlob = (text: string) => {
    try {
      return globsOverlap(text, text)
    } catch {
      return false
    }
  }
  const globs = [...new Set(Array.from({ length: 150 }, () => pick(parts, 4)))].filter(isGlob)
  const paths = Array.from({ length: 1_500 }, () => pick(letters, 5)).filter((path) =>
    /^[^/]+(?:\/[^/]+)*$/.test(path),
  )
  const fits = globs.map((glob) => new Set(paths.filter((path) => pathFits(glob, path, false))))
  const missed = globs.flatMap((first, i) =>
    globs.flatMap((second, k) => {
      const shared = [...(fits[i] ?? [])].find((path) => fits[k]?.has(path))
      return shared !== undefined && !globsOverlap(first, second) ? [`${first} ${second} ${shared}`] : []
    }),
  )
  expect(missed).toEqual([])
  expect(fits.some(({ size }) => size > 0)).toBe(true)
})
