// Redirections: what is read, written and fed.
import { expect, test } from 'vitest'
import { analyzeLine } from '../../../../../internal/policy/shell/line-analysis.ts'

test.each([
  ['a > x', ['x'], []],
  ['a >> x', ['x'], []],
  ['a >| x', ['x'], []],
  ['a &> x', ['x'], []],
  ['a &>> x', ['x'], []],
  ['a >& x', ['x'], []],
  ['a 2> x 1> y', ['x', 'y'], []],
  ['a >&2 2>&1 3>&- 4<&0', [], []],
  ['a < x', [], ['x']],
  ['a > /dev/null 2> /dev/stderr > /dev/stdout', [], []],
  ['a > /dev/tcp/h/80', ['/dev/tcp/h/80'], []],
  ["a > 'b c'", ['b c'], []],
  ['a > $x', [undefined], []],
  ['a > x*', [undefined], []],
  ['while a; do b; done > x < y', ['x'], ['y']],
  ['(a) > x', ['x'], []],
  ['if a; then b; fi > x', ['x'], []],
  ['a <<E > x\nb\nE', ['x'], []],
])('%j', async (line, writes, reads) => {
  const { parts } = await analyzeLine(line)
  expect(parts.flatMap((part) => part.writes)).toEqual(writes)
  expect(parts.flatMap((part) => part.reads)).toEqual(reads)
})

test.each(['a <> x', 'a {fd}> x y'])('%j is not understood or not certain', async (line) => {
  const { parts, opaque } = await analyzeLine(line)
  expect(opaque !== undefined || parts.some((part) => part.writes.length > 0)).toBe(true)
})
