// Code of a diff: removed lines belong to the old text, all others to the new text.
import { expect, test } from 'vitest'
import { readCodeLines } from '../../../../internal/base/code/code-reader.ts'
import { readHunkCode } from '../../../../internal/base/code/diff-code.ts'
import { choice, rng } from '../../../support/rng.ts'

const readLines = (text: string) => readCodeLines(text, 'ts')
const linesOf = (hunk: string) =>
  hunk.split('\n').map((line) => ({ sign: line[0] ?? '', text: line.slice(1) }))
const kindsOf = (hunk: string) =>
  readHunkCode(linesOf(hunk), readLines).map((runs) => runs?.map(({ kind }) => kind ?? 'plain').join(' '))

test('a comment that a line opens continues only on the side of the line', () => {
  expect(kindsOf('@@ -1,3 +1,2 @@\n-/* old\n-still\n+fresh\n same\n-*/')).toEqual([
    undefined,
    'comment',
    'comment',
    'plain',
    'plain',
    'comment',
  ])
})

test.each(['@@ -1 +1 @@\n+const a = 1', '@@ -1 +1 @@\n-const a = 1', '@@ -1 +1 @@\n const a = 1'])(
  'reads %j',
  (hunk) => {
    expect(kindsOf(hunk)[1]).toContain('keyword')
  },
)

test('each line has the runs of its text, in any order of signs', () => {
  const texts = ['const a = 1', '/* a', 'b */', '', '"x"', `\`\${a}\``, '// c']
  for (let seed = 1; seed <= 200; seed++) {
    const random = rng(seed)
    const lines = Array.from({ length: 12 }, () => ({
      sign: choice(random, [' ', '+', '-', '\\', '@', '']),
      text: choice(random, texts),
    }))
    for (const [i, runs] of readHunkCode(lines, readLines).entries()) {
      const { sign, text } = lines[i] as { sign: string; text: string }
      if (!' +-'.includes(sign) || sign === '') expect(runs).toBeUndefined()
      else if (runs) expect(runs.map((run) => run.text).join('')).toBe(text)
    }
  }
})
