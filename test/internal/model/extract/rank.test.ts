// Checks weights of terms, the order of files, and windows around hits.
import { expect, test } from 'vitest'
import { type Hit, idf, rank, weights, windows } from '../../../../internal/model/extract/rank.ts'

const hit = (path: string, line: number, term: string): Hit => ({ path, line, term })

test('rarity follows the formula and never falls below zero', () => {
  expect(idf(10, 1)).toBeCloseTo(Math.log(1 + 9.5 / 1.5))
  expect(idf(10, 10)).toBeCloseTo(Math.log(1 + 0.5 / 10.5))
  expect(idf(1, 5)).toBe(0)
  expect(idf(10, 1)).toBeGreaterThan(idf(10, 2))
})

test('weights know what is missing', () => {
  const weight = weights(
    ['lock', 'lease', 'moon'],
    [hit('a', 1, 'lock'), hit('a', 2, 'lock'), hit('b', 1, 'lock'), hit('b', 2, 'lease')],
    40,
  )
  expect(weight.of('lock')).toBeCloseTo(idf(40, 2))
  expect(weight.of('lease')).toBeCloseTo(idf(40, 1))
  expect(weight.of('never asked')).toBe(0)
  expect(weight.missing).toEqual(['moon'])
})

test('files rank by sum of idf times one plus ln tf, ties by path', () => {
  const hits = [
    ...[1, 2, 3].map((line) => hit('often', line, 'lock')),
    hit('rare', 1, 'lease'),
    hit('b-tie', 1, 'lock'),
    hit('a-tie', 1, 'lock'),
  ]
  const weight = weights(['lock', 'lease'], hits, 40)
  expect(rank(hits, weight)).toEqual(['often', 'rare', 'a-tie', 'b-tie'])
  expect(weight.of('lock') * (1 + Math.log(3))).toBeGreaterThan(weight.of('lease'))
})

test('windows merge where they meet', () => {
  expect(windows('f', [50, 3, 20, 3])).toEqual([
    { path: 'f', from: 1, to: 30 },
    { path: 'f', from: 40, to: 60 },
  ])
  expect(windows('f', [11, 32])).toEqual([{ path: 'f', from: 1, to: 42 }])
  expect(windows('f', [11, 33])).toHaveLength(2)
})
