// Facts next to an experiment session in words that the glossary or the help of `anode research` has.
import { expect, it } from 'vitest'
import { readFacts } from '../../../../internal/page/research/research-side.ts'
import type { ResearchBoard } from '../../../../internal/session/board/research-board.ts'

const board = {
  ...{ metric: 'ms', unit: 'ms', direction: 'lower', command: './bench.sh', baseline: null, final: null },
  ...{ runs: [], best: null, loop: null, max_runs: 0, counts: {}, tokens: 0, usd: null },
}
const factsOf = (over: object) =>
  new Map(
    readFacts({ ...board, ...over } as unknown as ResearchBoard).map(({ name, value }) => [name, value]),
  )

it.each([
  ['paired', 0, 'repeated pairs of runs', undefined],
  ['plain', 0, 'one sample of each run', undefined],
  ['paired', 2, 'repeated pairs of runs', '2'],
])('explains the gate %s and segment %i', (gate, segment, judged, resets) => {
  const facts = factsOf({ gate, segment })
  expect(facts.get('judged by')).toBe(judged)
  expect(facts.get('resets')).toBe(resets)
  expect([...facts.keys()].filter((name) => ['gate', 'segment'].includes(name))).toEqual([])
})
