// A change as lines: header and counts, signs in their column, unchanged white space.
import { expect, it } from 'vitest'
import { textLook } from '../../../../internal/tui/approval/argument-lines.ts'
import { diffLines } from '../../../../internal/tui/run-view/diff-lines.ts'

it('keeps every space, and escapes invisible characters', () => {
  const hunks = '@@ -1,2 +1,2 @@\n same  text\n \n-\told \n+    new\u200b\r\n\\ No newline at end of file\n'
  const file = { path: 'a b.txt', what: 'changed', hunks, added: 1, removed: 1 }
  expect(diffLines(file, textLook(true)).map(({ text }) => text)).toEqual([
    'a b.txt  changed  +1 -1',
    '@@ -1,2 +1,2 @@',
    ' same  text',
    ' ',
    '-→   old\\x20',
    '+    new\\u200b\\x0d',
    '\\ No newline at end of file',
  ])
  expect(diffLines(file, textLook(false)).map(({ style }) => style?.color)).toEqual([
    ...[undefined, 'cyan', undefined, undefined, 'red', 'green', undefined],
  ])
})

it('numbers lines by their position before or after the change, over hunks, and from one in a new file', () => {
  const hunks = '@@ -8,2 +8,3 @@\n a\n-b\n+c\n+d\n@@ -99,1 +100,1 @@ x\n e\n'
  const file = { path: 'a', what: 'changed', hunks, added: 2, removed: 1 }
  expect(diffLines(file, textLook(true), true).map(({ text }) => text)).toEqual([
    ...['a  changed  +2 -1', '    8  a', '-   9  b', '+   9  c', '+  10  d'],
    ...['… x', '  100  e'],
  ])
  const created = { path: 'a', what: 'created', hunks: '+x\n+y\n', added: 2, removed: 0 }
  expect(
    diffLines(created, textLook(true), true)
      .map(({ text }) => text)
      .slice(1),
  ).toEqual(['+ 1  x', '+ 2  y'])
})

it('a moved file has only a header', () => {
  const file = { path: 'a', what: 'renamed to b', hunks: '', added: 0, removed: 0 }
  expect(diffLines(file, textLook(true)).map(({ text }) => text)).toEqual(['a  renamed to b'])
})

it.each([
  ['\u001b[2J', '\\x1b[2J'],
  ['\u009b31m', '\\x9b31m'],
  ['\u202e', '\\u202e'],
  ['\r', '\\x0d'],
  ['\t', '\\t'],
])('%j is not a sign, also at the beginning of a line', (char, shown) => {
  const file = { path: 'a', what: 'changed', hunks: `${char}x\n`, added: 0, removed: 0 }
  expect(diffLines(file, textLook(false))[1]?.text).toBe(`${shown}x`)
})

it('reads the words of a file whose name has a language, only for a terminal with colors', () => {
  const hunks = '@@ -1,3 +1,3 @@\n /* a\n-b */ old\n+b */ return 1\n@@ -9 +9 @@\n return 2\n'
  const file = { path: 'src/a.ts', what: 'changed', hunks, added: 1, removed: 1 }
  const kindsOf = (path: string, color: number) =>
    diffLines({ ...file, path }, textLook(true, color), true).map(({ runs }) => runs?.map((run) => run.kind))
  expect(kindsOf('src/a.ts', 1)).toEqual([
    undefined,
    [undefined, 'comment'],
    ['removed', 'comment', undefined],
    ['added', 'comment', undefined, 'keyword', undefined, 'number'],
    undefined,
    [undefined, 'keyword', undefined, 'number'],
  ])
  for (const [path, color] of [
    ['src/a.ts', 0],
    ['notes', 1],
    ['a.unknown', 1],
  ] as const)
    expect(kindsOf(path, color).every((kinds) => kinds === undefined)).toBe(true)
  for (const { text, runs } of diffLines(file, textLook(true, 1), true))
    if (runs) expect(runs.map((run) => run.text).join('')).toBe(text)
})
