// Figures in few characters.
import { expect, it } from 'vitest'
import {
  formatAge,
  formatCount,
  formatDuration,
  formatMoney,
} from '../../../../internal/page/text/figures.ts'

it('rounds without losing the order of size', () => {
  expect([0, 59_000, 60_000, 3_600_000, 172_800_000].map((ms) => formatAge(0, ms))).toEqual([
    ...['0 s', '59 s', '1 min', '1 h', '2 d'],
  ])
  expect(formatAge(5_000, 0)).toBe('0 s')
  expect([0, 999, 1_000, 999_499, 1_500_000].map(formatCount)).toEqual(['0', '999', '1k', '999k', '1.5M'])
  expect([null, 0, 0.0123, 1.5].map(formatMoney)).toEqual(['unknown', '$0.00', '$0.0123', '$1.50'])
  expect([12, 1_234, 90_000].map(formatDuration)).toEqual(['12 ms', '1.2 s', '1 min'])
})
