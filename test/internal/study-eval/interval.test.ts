import { expect, it } from 'vitest'
import { bootstrapInterval, wilsonInterval } from '../../../internal/study-eval/interval.ts'

it.each([
  [8, 10, 0.4902, 0.9433],
  [0, 10, 0, 0.2775],
  [10, 10, 0.7225, 1],
  [38, 94, 0.3107, 0.5054],
])('has Wilson at %i of %i', (part, whole, from, to) => {
  const interval = wilsonInterval(part, whole) ?? [0, 0]
  expect(interval[0]).toBeCloseTo(from, 3)
  expect(interval[1]).toBeCloseTo(to, 3)
})

it('has no interval of nothing', () => {
  expect(wilsonInterval(0, 0)).toBeNull()
  expect(bootstrapInterval(0, () => 1)).toBeNull()
  expect(bootstrapInterval(3, () => null)).toBeNull()
})

it('draws questions with replacement, each time the same', () => {
  const values = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
  const mean = (drawn: readonly number[]) =>
    drawn.reduce((sum, i) => sum + (values[i] as number), 0) / drawn.length
  const interval = bootstrapInterval(values.length, mean) ?? [0, 0]
  // the normal approximation: 0.75 ± 1.96 × 0.097
  expect(interval[0]).toBeGreaterThan(0.5)
  expect(interval[0]).toBeLessThan(0.62)
  expect(interval[1]).toBeGreaterThan(0.88)
  expect(interval[1]).toBeLessThanOrEqual(1)
  expect(bootstrapInterval(values.length, mean)).toEqual(interval)
})
