// Cells divided among items add up exactly.
import { expect, test } from 'vitest'
import { divideCells, shrinkSizes, spreadGaps } from '../../../../internal/render/layout/divide-cells.ts'
import { below, random } from '../random.ts'

test('divides cells by shares', () => {
  expect(divideCells(10, [1, 1, 1])).toEqual([3, 4, 3])
  expect(divideCells(7, [0, 2, 0])).toEqual([0, 7, 0])
  expect(divideCells(7, [0, 0])).toEqual([0, 0])
})

const justified: [Parameters<typeof spreadGaps>[0], number[]][] = [
  ['flex-start', [0, 0, 0, 12]],
  ['flex-end', [12, 0, 0, 0]],
  ['center', [6, 0, 0, 6]],
  ['space-between', [0, 6, 6, 0]],
  ['space-around', [2, 4, 4, 2]],
  ['space-evenly', [3, 3, 3, 3]],
]

test.each(justified)('spreads gaps with %s', (justify, gaps) => {
  expect(spreadGaps(justify, 12, 3)).toEqual(gaps)
})

test('a single item has no gap before it', () => {
  expect(spreadGaps('space-between', 5, 1)).toEqual([0, 5])
})

test('shrinks sizes in proportion to size and factor, down to the minimum', () => {
  expect(shrinkSizes([20, 10], [1, 1], [1, 1], 15)).toEqual([10, 5])
  expect(shrinkSizes([20, 10], [1, 1], [0, 1], 5)).toEqual([20, 5])
  expect(shrinkSizes([5, 5], [1, 1], [1, 1], 100)).toEqual([1, 1])
  expect(shrinkSizes([5, 5], [1, 1], [0, 0], 3)).toEqual([5, 5])
})

test('1,000 generated shortages end, and remove exactly the cells that can be removed', () => {
  const rng = random(13)
  for (let i = 0; i < 1000; i++) {
    const sizes = Array.from({ length: 1 + below(rng, 6) }, () => below(rng, 30))
    const floors = sizes.map((size) => Math.min(size, 1))
    const excess = below(rng, 100)
    const out = shrinkSizes(
      sizes,
      floors,
      sizes.map(() => 1),
      excess,
    )
    const sum = (list: number[]) => list.reduce((so, n) => so + n, 0)
    expect(sum(sizes) - sum(out)).toBe(Math.min(excess, sum(sizes) - sum(floors)))
    expect(out.every((size, k) => size >= (floors[k] as number))).toBe(true)
  }
})
