// Known answers; the expected numbers were computed apart from this code, with Python's exact fractions.
import { describe, expect, it } from 'vitest'
import { noiseFloor } from '../../../../internal/research/stats/noise-floor.ts'

const base = [99.1, 97.8, 101.3, 98.4, 100.2, 103.7, 97.1, 99.9]

describe('noiseFloor', () => {
  it('is the scaled median absolute deviation of the logarithms', () => {
    expect(noiseFloor(base)).toBeCloseTo(0.021003805829348254, 12)
    expect(noiseFloor([5, 5, 5])).toBe(0)
  })
  it('works without logarithms below 0', () => {
    expect(noiseFloor([-1, 1, 3])).toBeCloseTo(1.4826 * 2, 12)
    expect(noiseFloor([0, 0, 0])).toBe(0)
  })
})
