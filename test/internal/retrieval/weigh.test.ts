// Scores of passages: what makes one come before another.
import { expect, test } from 'vitest'
import {
  type CountedPassage,
  computeRarity,
  coveredShare,
  scorePassage,
  weighTerms,
} from '../../../internal/retrieval/weigh.ts'
import { parseQuestion } from '../../../internal/retrieval/words.ts'

const lengths = { text: 400, heading: 20, symbol: 0, path: 10 }
const passage = (
  counts: Partial<Record<'text' | 'heading' | 'symbol' | 'path', number[]>>,
  rest = {},
): CountedPassage => ({
  file: 0,
  from: 1,
  to: 5,
  kind: 'prose',
  fileWeight: 1,
  lengths,
  counts: Object.fromEntries(
    (['text', 'heading', 'symbol', 'path'] as const).map((name) => [
      name,
      counts[name] && Float32Array.from(counts[name]),
    ]),
  ) as unknown as CountedPassage['counts'],
  titles: [],
  // all of its words close together
  places: Uint16Array.from((counts.text ?? []).flatMap((count, i) => (count > 0 ? [10 * i, 2 * i] : []))),
  stated: undefined,
  number: 0,
  hasPlace: false,
  ...rest,
})
const plain = { wants: { number: undefined, amount: undefined, place: false, code: false } } as const
const score = (one: CountedPassage, weights = [1, 1], wants: object = {}) =>
  scorePassage(one, { wants: { ...plain.wants, ...wants } }, weights)

test('both words weigh more than one of them often, and more in the title than in the text', () => {
  expect(score(passage({ text: [1, 1] }))).toBeGreaterThan(score(passage({ text: [9, 0] })))
  expect(score(passage({ text: [1, 0], heading: [0, 1] }))).toBeGreaterThan(score(passage({ text: [1, 1] })))
})

test('short passages, prose and plain files come first', () => {
  const one = passage({ text: [1, 1] })
  expect(score(one)).toBeGreaterThan(
    score(passage({ text: [1, 1] }, { lengths: { ...lengths, text: 1400 } })),
  )
  expect(score(one)).toBeGreaterThan(score(passage({ text: [1, 1] }, { kind: 'code' })))
  expect(score(one)).toBeGreaterThan(score(passage({ text: [1, 1] }, { fileWeight: 0.5 })))
  expect(score(passage({ text: [1, 1] }, { kind: 'code' }), [1, 1], { code: true })).toBe(score(one))
})

test('a requested duration or position weighs more', () => {
  const [none, any, time] = [0, 1, 3].map((number) =>
    score(passage({ text: [1, 1] }, { number }), [1, 1], { number: 'duration' }),
  )
  expect(time).toBeGreaterThan(any as number)
  expect(any).toBeGreaterThan(none as number)
})

test('rare words weigh more, and a missing name keeps its weight, but not a missing plain word', async () => {
  expect(computeRarity(1000, 1)).toBeGreaterThan(computeRarity(1000, 500))
  const question = await parseQuestion('Does the replica speak Kafka gladly?')
  const at = (word: string) => question.terms.findIndex((term) => term.word === word)
  const frequency = question.terms.map(({ word }) => (word === 'replica' ? 300 : word === 'speak' ? 100 : 0))
  const weights = weighTerms(question, { passages: 1000, frequency })
  expect(weights[at('Kafka')]).toBeGreaterThan(2 * (weights[at('gladly')] as number))
})

test('coverage counts titles and names, not paths', () => {
  expect(coveredShare(passage({ text: [1, 0], heading: [0, 1] }), [1, 3])).toBe(1)
  expect(coveredShare(passage({ text: [1, 0], path: [0, 1] }), [1, 3])).toBe(0.25)
  expect(coveredShare(passage({}), [])).toBe(0)
  expect(score(passage({}))).toBe(0)
})
