// The distance between the words of a question in a text.
import { expect, test } from 'vitest'
import { createPlaceList, weighClosest } from '../../../../internal/retrieval/rank/closeness.ts'

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
