// Null test, drift, final, the naive rule and plain advice.
import { describe, expect, it } from 'vitest'
import {
  adviseOnSample,
  concludeConstant,
  concludeFinal,
  driftDue,
  isNaiveGain,
  judgeDrift,
  judgeNullTest,
} from '../../../../internal/research/judge/baseline-rules.ts'
import { rules } from '../simulate.ts'

const pairs = (ratio: number, n: number) =>
  Array.from({ length: n }, (_, i) => ({
    base: { value: 100 + i, metrics: {} },
    cand: { value: (100 + i) * ratio, metrics: {} },
  }))

describe('nullTest', () => {
  it('accepts at once what does not win', () => {
    expect(judgeNullTest(rules, [])).toEqual({ need: 'pairs', count: 8 })
    expect(judgeNullTest(rules, pairs(1, 8))).toMatchObject({ usable: true, veryNoisy: false })
  })
  it('asks for fresh pairs after a win, and gives up after the second', () => {
    expect(judgeNullTest(rules, pairs(0.8, 8))).toEqual({ need: 'pairs', count: 8 })
    expect(judgeNullTest(rules, [...pairs(0.8, 8), ...pairs(1, 8)])).toMatchObject({ usable: true })
    expect(judgeNullTest(rules, pairs(0.8, 16))).toMatchObject({ usable: false })
  })
  it('marks a wide spread', () => {
    const wide = [50, 150, 80, 220, 60, 170, 90, 200].map((value) => ({
      base: { value, metrics: {} },
      cand: { value: value * 1.01, metrics: {} },
    }))
    expect(judgeNullTest(rules, wide)).toMatchObject({ usable: true, veryNoisy: true })
  })
})

it('conclude asks for 20 fresh pairs and gives their effect', () => {
  expect(concludeFinal(rules, pairs(0.7, 5))).toEqual({ need: 'pairs', count: 15 })
  const effect = concludeFinal(rules, pairs(0.7, 20))
  expect(effect).toMatchObject({ pairs: 20, p: expect.any(Number) })
  expect('pct' in effect ? effect.pct : 0).toBeCloseTo(-30, 8)
})

it('drift: more than three floors away', () => {
  const first = [100, 101, 99, 102, 98]
  expect(judgeDrift(first, [101, 100, 102, 101, 100]).drifted).toBe(false)
  const moved = judgeDrift(first, [110, 111, 109, 110, 112])
  expect(moved.drifted).toBe(true)
  expect(moved.pct).toBeCloseTo(10, 8)
  expect(judgeDrift([0, 0, 0], [0, 0, 0])).toEqual({ pct: 0, unit: 'absolute', drifted: false })
  expect(judgeDrift([0, 0, 5], [3, 3, 2])).toEqual({ pct: 3, unit: 'absolute', drifted: true })
  expect(judgeDrift([-4, -4, 5], [-2, -2, 2])).toEqual({ pct: 50, drifted: true })
  expect([driftDue(9, 0), driftDue(10, 0), driftDue(0, 30 * 60_000)]).toEqual([false, true, true])
})

it('naive: any better sample', () => {
  expect([
    isNaiveGain(10, 9.99, 'lower'),
    isNaiveGain(10, 10, 'lower'),
    isNaiveGain(10, 10.1, 'higher'),
  ]).toEqual([true, false, true])
})

it.each<[number[], number, number, 'lower' | 'higher', string]>([
  [[100, 101], 100, 50, 'lower', 'undecided'],
  [[100, 105, 95], 100, 98, 'lower', 'within_noise'],
  [[100, 105, 95], 100, 80, 'lower', 'better'],
  [[100, 105, 95], 100, 80, 'higher', 'worse'],
  [[0, 0, 0], 0, 1, 'lower', 'worse'],
])('advise %j best %d value %d %s: %s', (baseline, best, value, direction, expected) => {
  expect(adviseOnSample(baseline, best, value, direction)).toBe(expected)
})

describe('a metric that never moves', () => {
  const constant = (base: number, cand: number, n: number) =>
    Array.from({ length: n }, () => ({
      base: { value: base, metrics: {} },
      cand: { value: cand, metrics: {} },
    }))

  it('settles its final with two pairs that say what was known', () => {
    const known = { base: 100, cand: 80 }
    const effect = concludeConstant(rules, constant(100, 80, 2), known)
    expect(effect).toMatchObject({ p: 0, pairs: 2 })
    expect(effect?.pct).toBeCloseTo(-20)
    expect(effect?.ci[1]).toBeLessThan(0)
  })

  it.each([
    ['one pair', constant(100, 80, 1)],
    ['another baseline', [...constant(100, 80, 1), ...constant(101, 80, 1)]],
    ['another best', [...constant(100, 80, 1), ...constant(100, 79, 1)]],
  ])('leaves %s to the test', (_, taken) => {
    expect(concludeConstant(rules, taken, { base: 100, cand: 80 })).toBeUndefined()
  })
})
