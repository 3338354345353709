// The block that was probably meant.
import { expect, it } from 'vitest'
import { compareAt, findClosest } from '../../../internal/patch/closest-block.ts'

const file = 'import x\n\nfunction one() {\n  return 1\n}\n\nfunction two() {\n  return 2\n}\n'.split('\n')

it.each<[string, string[], number | undefined, number | undefined]>([
  ['one line changed', ['function two() {', '  return 3', '}'], 7, 8],
  ['indentation changed', ['  function two() {', '    return 2'], 7, 7],
  ['the first line is another', ['// comment', 'function two() {'], 6, 6],
  ['one short similar line', ['import z', '', 'zz'], 1, 1],
  ['one similar line', ['function tow() {'], 7, 7],
  ['nothing alike', ['zzzzzz', 'qqqqqq'], undefined, undefined],
  ['more lines than the file', ['  return 2', '}', '', 'x', 'y'], 8, 11],
])('%s', (_, wanted, line, differs) => {
  const found = findClosest(file, wanted)
  expect([found?.line, found?.differs?.line]).toEqual([line, differs])
})

it('prefers the nearer of two equal blocks', () => {
  const twice = ['a line', 'one', '', 'a line', 'two']
  expect(findClosest(twice, ['a line', 'three'], 1)?.line).toBe(1)
  expect(findClosest(twice, ['a line', 'three'], 5)?.line).toBe(4)
})

it('does not take long for a large file', () => {
  const large = Array.from({ length: 100_000 }, (_, i) => `line ${i} of some length, with words`)
  expect(findClosest(large, ['line 70000 of some length, with word'])?.line).toBeGreaterThan(0)
})

it('compares with one position if nothing else is known', () => {
  expect(compareAt(['a', 'b', 'c'], ['b', 'x', 'y'], 2)).toEqual({
    line: 2,
    block: ['b', 'c'],
    differs: { line: 3, wanted: 'x', found: 'c' },
  })
})
