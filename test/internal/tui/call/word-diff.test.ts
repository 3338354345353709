// Changed words of lines that are alike, and none where two lines are two.
import { expect, it } from 'vitest'
import { findChangedWords, markChangedWords } from '../../../../internal/tui/call/word-diff.ts'

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

it('compares lines of a hunk with those in their place, in order', () => {
  const lines = ['  keep', '- a one', '- b two', '+ a uno', '+ b due', '+ c', '  keep', '+ a one']
  const signed = lines.map((line) => ({ sign: line[0] as string, text: line.slice(2) }))
  const marks = markChangedWords(signed.map((one) => ({ ...one, text: `common ${one.text}` })))
  expect([...marks.keys()].sort()).toEqual([1, 2, 3, 4])
  expect(marked('common b due', marks.get(4))).toEqual(['due'])
})
