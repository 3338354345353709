// The two pattern languages.
import { expect, test } from 'vitest'
import {
  escapeGlob,
  literalPath,
  matchWildcard,
  pathFits,
} from '../../../../internal/policy/rules/rule-pattern.ts'
import { leastCost } from '../../../support/cost.ts'

test('matches patterns with many stars on a long name in time', () => {
  for (let stars = 4; stars <= 60; stars += 8)
    // with six stars a regular expression needs half a minute for one of these names
    for (const pattern of [
      `${'*a'.repeat(stars)}b`,
      `${'**/a/'.repeat(stars)}b`,
      `{${'*a'.repeat(stars)}b,x}`,
    ])
      for (const path of ['a'.repeat(2_000), 'a/'.repeat(1_000)])
        expect(leastCost(500, () => expect(pathFits(pattern, path, true)).toBe(false))).toBeLessThan(500)
})

test.each([
  ['[A-C].ts', 'b.ts', true],
  ['[a-c].ts', 'B.ts', true],
  ['[!a-c].ts', 'B.ts', false],
  ['[Z-a].ts', '_.ts', true],
  ['É*.ts', 'éa.ts', true],
])('without letter case %j on %j', (pattern, path, fits) => {
  expect(pathFits(pattern, path, true)).toBe(fits)
})

test.each([
  ['*', '', true],
  ['*', 'anything/at all', true],
  ['a*', 'a', true],
  ['a*c', 'abc', true],
  ['a*c', 'abd', false],
  ['*b*', 'abc', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['mcp__*__read', 'mcp__x__read', true],
  ['mcp__*', 'bash', false],
  ['**', 'x', true],
  ['a.c', 'abc', false],
  ['', '', true],
  ['', 'a', false],
  [`${'*a'.repeat(50)}b`, 'a'.repeat(5_000), false],
])('wildcard %j on %j', (pattern, text, fits) => {
  expect(matchWildcard(pattern, text)).toBe(fits)
})

test.each([
  ['src/**', 'src/a/b.ts', true],
  ['src/**', 'src/.hidden', true],
  ['src/*', 'src/a/b.ts', false],
  ['**/*.ts', 'a.ts', true],
  ['*.{ts,js}', 'a.js', true],
  ['[ab].ts', 'a.ts', true],
  ['SRC/**', 'src/a', false],
])('path glob %j on %j', (pattern, path, fits) => {
  expect(pathFits(pattern, path, false)).toBe(fits)
})

test('letter case is folded on request', () => {
  expect(pathFits('SRC/**', 'src/a', true)).toBe(true)
  expect(pathFits('README.md', 'readme.MD', true)).toBe(true)
})

test('an escaped path is literal and matches itself', () => {
  for (const path of ['a.ts', '[id]/(group)/*.ts', '{a,b}', 'a\\b', 'a|b?']) {
    expect(literalPath(escapeGlob(path))).toBe(path)
  }
  expect(literalPath('a*')).toBeUndefined()
  expect(literalPath('[a]')).toBeUndefined()
})
