// Known answers; the expected numbers were computed apart from this code, with Python's exact fractions.
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../internal/research/stats/seeded-random.ts'
import {
  bootstrapMedianInterval,
  medianOf,
  pairDifferences,
  rawChange,
  signFlipTest,
} from '../../../../internal/research/stats/statistics.ts'

const base = [99.1, 97.8, 101.3, 98.4, 100.2, 103.7, 97.1, 99.9]
const cand = [84.2, 85.6, 90.1, 101.9, 83.3, 88.8, 86.4, 99.0]
const chance = () => seededRandom(1, 'test')

describe('differences', () => {
  it('are log ratios of positive samples', () => {
    const { d, scale } = pairDifferences(base, cand, 'lower')
    expect(scale).toBe('ratio')
    expect(medianOf(d)).toBeCloseTo(-0.12520277026671037, 12)
    expect(rawChange(medianOf(d), scale, 'lower')).toBeCloseTo(-11.768202340666424, 10)
  })

  it('are below 0 for what is better in either direction, and shown as the raw change', () => {
    const higher = pairDifferences([10, 10], [11, 11], 'higher')
    expect(higher.d[0]).toBeCloseTo(-Math.log(1.1), 12)
    expect(rawChange(medianOf(higher.d), higher.scale, 'higher')).toBeCloseTo(10, 10)
  })

  it('are related to the median size when a sample is not positive', () => {
    expect(pairDifferences([-2, 0, 3], [1, -1, 2], 'lower')).toEqual({
      d: [1.5, -0.5, -0.5],
      scale: 'relative',
      direction: 'lower',
    })
    expect(pairDifferences([5, 5], [0, 5], 'higher').d).toEqual([1, -0])
    expect(rawChange(-0.5, 'relative', 'higher')).toBe(50)
  })

  it('stay in the unit of the metric when the base is 0', () => {
    const absolute = pairDifferences([0, 0, 0], [4, 4, 2], 'lower')
    expect(absolute).toMatchObject({ d: [4, 4, 2], scale: 'absolute' })
    expect(rawChange(4, 'absolute', 'lower')).toBe(4)
  })
})

it('median of odd, even and no values; the input keeps its order', () => {
  const values = [3, 1, 2]
  expect([medianOf(values), medianOf([4, 1, 3, 2]), medianOf([])]).toEqual([2, 2.5, Number.NaN])
  expect(values).toEqual([3, 1, 2])
})

describe('signFlip', () => {
  it.each<[string, number[], number]>([
    ['8 log ratios', pairDifferences(base, cand, 'lower').d, 3 / 256],
    ['10 integers with many ties', [-3, -2, -2, 1, -1, 0, -4, 2, -1, -1], 62 / 1024],
    ['tenths, whose sums differ in the last bit', [-0.3, 0.1, -0.2, 0.2, -0.1, 0.1], 27 / 64],
    ['one pair', [-1], 1 / 2],
    ['8 equal improvements', Array(8).fill(-1), 1 / 256],
    ['no difference at all', Array(8).fill(0), 1],
    ['12 pairs, the last exact size', Array(12).fill(-0.1), 1 / 4096],
    ['nothing', [], 1],
  ])('exact: %s', (_, d, p) => {
    expect(signFlipTest(d, chance())).toBe(p)
  })

  const sixteen = [-5, 3, -2, -7, 1, -1, -4, 2, -6, -3, 2, -1, -2, 4, -3, -1]
  const more = [-1, 2, 3, -2, -5, 1, 1, -1, 4, -4, -2, 2, -1, 3, -2, -1]
  // exact values by convolution of the integer distribution; tolerance: four standard errors of 40,000 draws
  it.each<[number, number[], number]>([
    [16, sixteen, 0.0556488037109375],
    [32, [...sixteen, ...more], 0.07208599336445332],
  ])('sampled: %i pairs come close to the exact value', (_, d, p) => {
    expect(Math.abs(signFlipTest(d, chance(), 40_000) - p)).toBeLessThan(
      4 * Math.sqrt((p * (1 - p)) / 40_000),
    )
  })

  it('sampled: never 0, and the same for the same seed', () => {
    const d = Array(40).fill(-1)
    expect(signFlipTest(d, chance())).toBe(1 / 4001)
    expect(signFlipTest(sixteen, chance())).toBe(signFlipTest(sixteen, chance()))
  })
})

it('interval: ends of the bootstrap distribution of the median', () => {
  // P(median* <= v) for n = 7 is binomial: 0.010, 0.108, … 0.892, 0.990, so 2.5 % falls on -15 and 97.5 % on
  // 1
  const d = [-24.6, -15, -13.7, -9, -5.7, 1, 3]
  expect(bootstrapMedianInterval(d, chance())).toEqual([-15, 1])
  expect(bootstrapMedianInterval([4], chance())).toEqual([4, 4])
})
