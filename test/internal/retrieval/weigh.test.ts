// Scores of passages: what makes one come before another.
import { expect, test } from 'vitest'
import {
  type CountedPassage,
  computeRarity,
  coveredShare,
  createPlaceList,
  scorePassage,
  type TermPlaces,
  weighClosest,
  weighTerms,
} from '../../../internal/retrieval/weigh.ts'
import { parseQuestion } from '../../../internal/retrieval/words.ts'
import { costRatio } from '../../support/cost.ts'
import { rng } from '../../support/rng.ts'

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

// The distance between the words of a question in a text.

function placesOf(...all: [at: number, term: number, weight?: number][]) {
  const list = createPlaceList()
  for (const [at, term, weight = 1] of all) list.add(at, term, weight)
  return list.close()
}
const weights = [1, 2, 4]
const none = new Map<number, number>()

test('counts the heaviest words within one window, each once', () => {
  expect(weighClosest(placesOf([0, 0], [20, 1], [40, 1], [60, 2]), weights, none)).toBe(7)
  expect(weighClosest(placesOf([0, 0], [20, 1], [900, 2]), weights, none)).toBe(4)
  expect(weighClosest(placesOf(), weights, none)).toBe(0)
})

test('a synonym counts half, and the word itself replaces it', () => {
  expect(weighClosest(placesOf([0, 2, 0.4]), weights, none)).toBe(2)
  expect(weighClosest(placesOf([0, 2, 0.4], [9, 2]), weights, none)).toBe(4)
})

test('titles are close to everything below them', () => {
  expect(weighClosest(placesOf([900, 1]), weights, new Map([[2, 1]]))).toBe(6)
  expect(weighClosest(placesOf(), weights, new Map([[2, 1]]))).toBe(4)
})

test('keeps distant positions distant, and limits the number of stored positions', () => {
  expect(weighClosest(placesOf([70_000, 0], [90_000, 1]), weights, none)).toBe(3)
  const many = Array.from({ length: 1000 }, (_, i): [number, number] => [i, 0])
  expect(placesOf(...many).length).toBeLessThanOrEqual(320)
})

const integer = (random: () => number, from: number, to: number) =>
  from + Math.floor(random() * (to - from + 1))

/** Weighs the window after each place on its own. */
function weighEachWindow(
  places: TermPlaces,
  all: readonly number[],
  known: ReadonlyMap<number, number>,
): number {
  const sumOf = (shares: ReadonlyMap<number, number>) =>
    [...shares].reduce((sum, [term, share]) => sum + share * (all[term] ?? 0), 0)
  let best = sumOf(known)
  for (let start = 0; start < places.length; start += 2) {
    const shares = new Map(known)
    for (let at = start; at < places.length; at += 2) {
      if ((places[at] as number) > (places[start] as number) + 240) break
      const code = places[at + 1] as number
      shares.set(code >> 1, Math.max(shares.get(code >> 1) ?? 0, code % 2 === 1 ? 0.5 : 1))
    }
    best = Math.max(best, sumOf(shares))
  }
  return best
}

test('finds the heaviest of all windows, for any places', () => {
  const random = rng(7)
  for (let round = 0; round < 2_000; round++) {
    const terms = integer(random, 1, 9)
    // eighths add up without rounding
    const all = Array.from({ length: terms }, () => integer(random, 0, 40) / 8)
    const spots = Array.from({ length: integer(random, 0, 60) }, () => integer(random, 0, 2_000))
    const places = placesOf(
      ...spots
        .sort((a, b) => a - b)
        .map((at): [number, number, number] => [at, integer(random, 0, terms - 1), random() < 0.5 ? 1 : 0.4]),
    )
    const known = new Map(random() < 0.5 ? [[integer(random, 0, terms), 0.5] as const] : [])
    expect(weighClosest(places, all, known), `round ${round}`).toBe(weighEachWindow(places, all, known))
  }
})

test('four times as many places in a window cost at most eight times as much', () => {
  const crowd = (count: number) =>
    placesOf(
      ...Array.from({ length: count }, (_, i): [number, number] => [Math.floor((i * 240) / count), i % 3]),
    )
  const weigh = (places: TermPlaces, times: number) => () => {
    for (let i = 0; i < times; i++) weighClosest(places, weights, none)
  }
  expect(costRatio(8, weigh(crowd(40), 4_000), weigh(crowd(160), 4_000))).toBeLessThan(8)
})
