// The random generator, compared with a second implementation, and the independence of its streams.
import { describe, expect, it } from 'vitest'
import { drawPairOrders, seededRandom } from '../../../../internal/research/stats/seeded-random.ts'

const take = (seed: number, label: string, n: number) => {
  const chance = seededRandom(seed, label)
  return Array.from({ length: n }, () => chance.bits())
}

describe('random', () => {
  // computed with an implementation in Python of the same three published functions
  it('returns the known numbers', () => {
    expect(take(7, 'order/x', 3)).toEqual([276409810, 2440475711, 745144656])
    expect(take(1, '', 3)).toEqual([3467447118, 276858728, 1170688855])
  })

  it('has a separate stream for each seed and label', () => {
    const heads = [take(1, 'a', 4), take(1, 'b', 4), take(2, 'a', 4), take(12, '', 4), take(1, '2', 4)]
    expect(new Set(heads.map(String)).size).toBe(heads.length)
  })

  it('stays in range and fills it evenly', () => {
    const chance = seededRandom(3, 'even')
    const seen = Array<number>(10).fill(0)
    for (let i = 0; i < 20_000; i++) {
      const n = chance.below(10)
      seen[n] = (seen[n] as number) + 1
    }
    expect(Math.min(...seen)).toBeGreaterThan(1800)
    expect(Math.max(...seen)).toBeLessThan(2200)
    expect(chance.unit()).toBeLessThan(1)
  })
})

it('orders: seeded, both kinds, about half each', () => {
  const drawn = drawPairOrders(1, 'run 4', 400)
  expect(drawPairOrders(1, 'run 4', 400)).toEqual(drawn)
  expect(drawPairOrders(1, 'run 5', 400)).not.toEqual(drawn)
  const first = drawn.filter((order) => order === 'AB').length
  expect(Math.abs(first - 200)).toBeLessThan(50)
})
