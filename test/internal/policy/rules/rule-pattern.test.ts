// The two pattern languages.
import { expect, test, vi } from 'vitest'
import {
  escapeGlob,
  literalPath,
  loadGlobEngine,
  matchWildcard,
  pathFits,
} from '../../../../internal/policy/rules/rule-pattern.ts'

test('a path glob is refused until its engine is loaded; literal paths need none', async () => {
  // a module of its own: other test files of this process have loaded the engine
  vi.resetModules()
  const { loadGlobEngine, pathFits } = await import('../../../../internal/policy/rules/rule-pattern.ts')
  await loadGlobEngine(['a/b.ts', '\\[id\\].ts'])
  expect(pathFits('a/b.ts', 'a/b.ts', false)).toBe(true)
  expect(pathFits('\\[id\\].ts', '[id].ts', false)).toBe(true)
  expect(() => pathFits('a/*.ts', 'a/b.ts', false)).toThrow('not made ready')
  await loadGlobEngine(['a/*.ts'])
  expect(pathFits('a/*.ts', 'a/b.ts', false)).toBe(true)
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
])('path glob %j on %j', async (pattern, path, fits) => {
  await loadGlobEngine([pattern])
  expect(pathFits(pattern, path, false)).toBe(fits)
})

test('letter case is folded on request', async () => {
  await loadGlobEngine(['SRC/**'])
  expect(pathFits('SRC/**', 'src/a', true)).toBe(true)
  expect(pathFits('README.md', 'readme.MD', true)).toBe(true)
})

test('an escaped path is literal and stands for itself', () => {
  for (const path of ['a.ts', '[id]/(group)/*.ts', '{a,b}', 'a\\b', 'a|b?']) {
    expect(literalPath(escapeGlob(path))).toBe(path)
  }
  expect(literalPath('a*')).toBeUndefined()
  expect(literalPath('[a]')).toBeUndefined()
})
