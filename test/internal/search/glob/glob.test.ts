// Glob patterns: a table of meanings, refusals, and hostile patterns that must not take long.
import { expect, test } from 'vitest'
import { bytesOfText } from '../../../../internal/base/text/byte-name.ts'
import { compileGlob } from '../../../../internal/search/glob/glob.ts'

const fits = (pattern: string, path: string, anywhere = false) =>
  compileGlob(pattern, anywhere).test(bytesOfText(path))

test.each([
  ['*.go', ['a.go', '.go'], ['a/b.go', 'a.gob', 'go']],
  ['**/*.go', ['a.go', 'a/b.go', 'a/b/c.go', '.go'], ['a.go/x']],
  ['**', ['a', 'a/b', 'a/b/c'], []],
  ['a/**', ['a/b', 'a/b/c'], ['a', 'ab/c', 'b/a/c']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/xb', 'b', 'a/b/c']],
  ['**/a/**/b/*', ['a/b/c', 'x/a/y/b/c'], ['a/b', 'a/b/c/d']],
  ['a**b', ['ab', 'axb'], ['a/b', 'ax/b']],
  ['?.ts', ['a.ts', 'é.ts', '😀.ts'], ['.ts', 'ab.ts', '/.ts']],
  ['[ab]c', ['ac', 'bc'], ['cc', 'abc', 'c']],
  ['[!ab]c', ['cc', 'éc'], ['ac', '/c', 'c']],
  ['[^a-c]', ['d'], ['a', 'b', 'c', 'dd']],
  ['[]x]', [']', 'x'], ['a']],
  ['[a-cé]', ['b', 'é'], ['d', 'è']],
  ['[a-]', ['a', '-'], ['b']],
  ['{a,b}.{ts,go}', ['a.ts', 'b.go'], ['c.ts', '{a,b}.ts']],
  ['{a,b/{c,d}}/x', ['a/x', 'b/c/x', 'b/d/x'], ['b/x', 'c/x']],
  ['x{,y}', ['x', 'xy'], ['xyy', 'y']],
  ['\\*\\{\\[a', ['*{[a'], ['x{[a']],
  ['\\!a', ['!a'], ['a', 'b']],
  ['!*.go', ['a.ts', 'a/b.go'], ['a.go']],
  ['./a//b', ['a/b'], ['b']],
  ['src/', ['src/a', 'src/a/b'], ['src', 'a/src/b']],
  ['*é*', ['café!', 'é'], ['cafe']],
])('matches the glob %s', (pattern, yes, no) => {
  for (const path of yes) expect(fits(pattern, path), path).toBe(true)
  for (const path of no) expect(fits(pattern, path), path).toBe(false)
})

test.each([
  ['*.go', 'a/b/c.go', true],
  ['a/*.go', 'x/a/b.go', false],
  ['/a.go', 'x/a.go', false],
  ['!*.test.ts', 'x/a.test.ts', false],
  ['!*.test.ts', 'x/a.ts', true],
])('as a filter %s on %s', (pattern, path, expected) => {
  expect(fits(pattern, path, true)).toBe(expected)
})

test.each([
  ['{a', /never closed/],
  ['a}', /\} without \{/],
  ['[a', /never closed/],
  ['[b-a]', /backwards/],
  ['a\\', /escapes nothing/],
  ['', /names nothing/],
  ['./', /names nothing/],
  ['a/../b', /cannot be part/],
  ['{a,b}'.repeat(12), /more than 512/],
  ['x'.repeat(3_000), /at most/],
])('rejects %s', (pattern, reason) => {
  expect(() => compileGlob(pattern)).toThrow(reason)
})

test('lists the base names of a pattern that another program can use as a filter', () => {
  expect(compileGlob('src/**/*.{ts,go}').basenames).toEqual(['*.ts', '*.go'])
  for (const pattern of ['**/*', 'a/[bc]', '!*.ts', 'a/**', 'é'])
    expect(compileGlob(pattern).basenames).toBeUndefined()
})

test('a pattern matches dot files only if one of its segments starts with a dot', () => {
  expect(compileGlob('a/.github/*').dotted).toBe(true)
  expect(compileGlob('a/*.github').dotted).toBe(false)
})

test('patterns with many * and ** are matched in time', () => {
  const names = 'a'.repeat(200)
  expect(fits(`${'*a'.repeat(60)}b`, names)).toBe(false)
  expect(fits(`${'**/a/'.repeat(60)}b`, 'a/'.repeat(200))).toBe(false)
})

test('treats bytes that are not UTF-8 as ordinary characters', () => {
  expect(compileGlob('a?b').test('a\xffb')).toBe(true)
  expect(compileGlob('a*b').test('a\xff\xfeb')).toBe(true)
  expect(compileGlob('a[!x]b').test('a\xffb')).toBe(true)
})
