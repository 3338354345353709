// Changed words of lines that are alike, and none where two lines are two.
import { expect, it } from 'vitest'
import { findChangedWords, findPartners } from '../../../../internal/base/code/word-diff.ts'

const marked = (text: string, ranges: readonly (readonly [number, number])[] = []) =>
  ranges.map(([start, end]) => text.slice(start, end))

it.each([
  [
    'return Math.round(sum(items) * 100) / 100',
    'return roundHalfUp(sum(items) * 100) / 100',
    ['Math.round'],
    ['roundHalfUp'],
  ],
  ['const a = 1', 'const a = 1', [], []],
  ['let größe = 1', 'let größe = 12', ['1'], ['12']],
  ['f(a, b)', 'f(a, b, c)', [], [', c']],
])('%s becomes %s', (before, after, old, now) => {
  const found = findChangedWords(before, after)
  expect([marked(before, found?.before), marked(after, found?.after)]).toEqual([old, now])
})

it.each([
  ['const a = 1', 'throw new Error()'],
  ['        }', '        return x'],
  ['', ''],
  ['x'.repeat(501), 'x'.repeat(501)],
  ['('.repeat(300), '('.repeat(300)],
])('%j and %j are not compared', (before, after) => {
  expect(findChangedWords(before, after)).toBeUndefined()
})

it('pairs lines of a hunk with those in their place, in order', () => {
  const lines = ['  keep', '- a one', '- b two', '+ a uno', '+ b due', '+ c', '  keep', '+ a one']
  const partners = findPartners(lines.map((line) => line[0] as string))
  expect([...partners].sort()).toEqual([
    [1, 3],
    [2, 4],
    [3, 1],
    [4, 2],
  ])
})
