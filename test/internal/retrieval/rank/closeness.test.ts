// The distance between the words of a question in a text.
import { expect, test } from 'vitest'
import {
  createPlaceList,
  type TermPlaces,
  weighClosest,
} from '../../../../internal/retrieval/rank/closeness.ts'
import { costRatio } from '../../../support/cost.ts'
import { rng } from '../../../support/rng.ts'

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
