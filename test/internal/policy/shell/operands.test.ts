// Every text of a command that may name a file.
import { expect, test } from 'vitest'
import { analyzeLine } from '../../../../internal/policy/shell/line-analysis.ts'
import { operandsOf } from '../../../../internal/policy/shell/operands.ts'
import { plainWord, simpleCommand } from '../../../../internal/policy/shell/syntax/simple-command.ts'
import { leastCost } from '../../../support/cost.ts'

const partsOf = async (line: string) => (await analyzeLine(line)).parts

test.each([
  ['cp a b', ['a', 'b']],
  ['./run x', ['./run', 'x']],
  ['cp -tkeep x', ['keep', 'x']],
  ['cp -rvtkeep/f x', ['tkeep/f', 'keep/f']],
  ['tar -C.git x', ['.git']],
  ['x --out=keep/f', ['keep/f']],
  ['dd of=x if=y', ['x', 'y', 'of=x']],
  ['git show HEAD:.env', ['.env', 'HEAD']],
  ['docker run -v /a:/b:ro', ['/a', '/b', '/b:ro']],
  ['curl -d@.env', ['.env', '@.env']],
  ['curl --data @x', ['x']],
  ['x a=b,c=.env,d', ['.env', 'b', 'd']],
  ['cat < in', ['in']],
  ['x +o.git', ['.git']],
  ['x -@.git', ['.git']],
  ['cp -rtkeep x', ['keep']],
  ['cp --target-directory=keep x', ['keep', 'x']],
  ['cp --target-directory keep x', ['keep']],
  ['tar -Ckeep -xf a', ['keep', 'a']],
  ['curl -okeep/f u', ['keep/f']],
  ['dd if=a of=keep/b', ['a', 'keep/b']],
  ['gcc @keep/args', ['keep/args']],
  ['docker run -v keep:/x i', ['keep', '/x']],
  ['x a,keep,b', ['keep', 'a', 'b']],
  ['git show HEAD:.env', ['HEAD:.env', '.env']],
])('%s names %j', async (line, texts) => {
  const all = (await partsOf(line)).flatMap((part) => part.operands.map((one) => one.text))
  expect(all).toEqual(expect.arrayContaining(texts))
})

test('counts the program as a path only if it contains a slash, and skips options', async () => {
  for (const line of ['cp -r x', 'cp --force x'])
    expect((await partsOf(line))[0]?.operands.map(({ text }) => text)).toEqual(['x'])
})

test('marks which words are certain', async () => {
  const [part] = await partsOf('rm k* "$d/x" "lit*"')
  expect(part?.operands).toEqual([
    { text: 'k*', certain: true, glob: true },
    { text: '$d/x', certain: false, glob: false },
    { text: 'lit*', certain: true, glob: false },
  ])
})

test('marks words that only the shell can expand', async () => {
  const loose = async (line: string) =>
    (await partsOf(line)).some(({ operands }) => operands.some(({ certain }) => !certain))
  for (const line of [
    'x $a',
    'x "$a"',
    'x `a`',
    'x $(a)',
    'x {a,b}',
    'x <(a)',
    'x ~nobody',
    'x a* $b',
    'x $a*',
  ])
    expect(await loose(line), line).toBe(true)
  for (const line of ['x a', "x '$a'", 'x {}', 'x a*']) expect(await loose(line), line).toBe(false)
})

test('a wrapper also names the words before its command', async () => {
  const [outer, inner] = await partsOf('env -C keep rm .env')
  expect(outer?.operands.map(({ text }) => text)).toEqual(['keep'])
  expect(inner?.operands.map(({ text }) => text)).toEqual(['.env'])
})

test('truncates too many operands, and reads long words in time', () => {
  const cut = (...words: string[]) => operandsOf(simpleCommand(['x', ...words].map(plainWord))).truncated
  const numbers = (length: number) => Array.from({ length }, (_, i) => i.toString(36))
  expect(cut(...numbers(1_900))).toBe(false)
  expect(cut(...numbers(2_050))).toBe(true)
  for (const word of [`-${'a'.repeat(4_000)}`, ':'.repeat(16_000), 'a=b,'.repeat(4_000)])
    expect(
      leastCost(500, () => expect(cut(word)).toBe(true)),
      word.slice(0, 5),
    ).toBeLessThan(500)
})
