// Commands whose numbers ask for endless output are not free reading; the same commands with small numbers are.
import { expect, it } from 'vitest'
import { judgeReader } from '../../../../../internal/policy/shell/programs/readers.ts'

const isFree = (words: readonly string[]) => {
  const judged = judgeReader(words)
  return judged !== undefined && !('odd' in judged)
}

/** Command words with N for the number. Free with a small number, never with a large one. */
const shapes: readonly (readonly string[])[] = [
  ['printf', '%Ns', 'x'],
  ['printf', '%-Ns', 'x'],
  ['printf', '%0Nd', '1'],
  ['printf', '%.Nd', '1'],
  ['printf', '%.Nf', '1'],
  ['printf', '%*s', 'N', 'x'],
  ['printf', '%-*s', 'N', 'x'],
  ['printf', '%.*f', 'N', '1'],
  ['printf', '%s %Ns', 'a', 'b'],
  ['printf', '--', '%Ns', 'x'],
  ['seq', 'N'],
  ['seq', '1', 'N'],
  ['seq', '1', '1', 'N'],
  ['seq', '0', '2', 'N'],
  ['seq', 'N', '-1', '1'],
  ['seq', '-N', '0'],
  ['seq', '-w', '1', 'N'],
  ['seq', '-s', ',', 'N'],
  ['seq', '-f', '%Ng', '3'],
  ['find', '.', '-printf', '%Np'],
  ['stat', '--printf=%Nn', 'a'],
  ['git', 'log', '--format=%<(N)%s'],
  ['git', 'log', '--format=%>>(N)%s'],
  ['nl', '-w', 'N', 'a'],
  ['expand', '-t', 'N', 'a'],
]
const large = ['2000001', '999999999', '2000000000', '99999999999999999999', '1000000000000']
const rows = shapes.flatMap((shape) => large.map((number) => ({ shape, number })))

it(`asks for ${rows.length} commands that print without end`, () => {
  for (const { shape, number } of rows) {
    const words = shape.map((word) => word.replace('N', number))
    expect([words.join(' '), isFree(words)]).toEqual([words.join(' '), false])
  }
})

it.each(shapes.map((shape) => [shape.join(' '), shape] as const))(
  'runs %s with a small number',
  (_, shape) => {
    const words = shape.map((word) => word.replace('N', '20'))
    // some programs are not readers in every form; the size must not be the reason then
    expect(JSON.stringify(judgeReader(words) ?? '')).not.toMatch(/more than a million/)
  },
)

it.each([
  ['seq', '1', '1e12'],
  ['seq', '1', '0.0000001', '5'],
  ['seq', '1', '0', '5'],
  ['seq', 'inf'],
  ['seq', '0x7fffffff'],
  ['seq', '1', '$N'],
  ['printf', '%*s', '$N', 'x'],
  ['printf', '%500000s', 'a', 'b', 'c'],
])('asks for %s %s %s', (...words) => expect(isFree(words.filter((word) => word !== undefined))).toBe(false))

it.each([
  ['find', '.', '-size', '+2000000c'],
  ['seq', '10'],
  ['seq', '5', '-1', '1'],
  ['printf', '%s\\n', '2000000000'],
  ['printf', '%5d', '2000000000'],
])('reads with %s %s %s', (...words) => expect(isFree(words.filter((word) => word !== undefined))).toBe(true))
