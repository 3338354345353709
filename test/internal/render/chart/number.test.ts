// Numbers as text, and values brought to a number of cells.
import { expect, test } from 'vitest'
import {
  computeMean,
  downsampleValues,
  findExtent,
  formatCount,
  formatNumber,
  fractionWithin,
  interpolateValues,
} from '../../../../internal/render/chart/number.ts'

const numbers: [number, string][] = [
  [0, '0'],
  [-0, '0'],
  [12, '12'],
  [0.1, '0.1'],
  [1 / 3, '0.333333'],
  [-Math.PI, '-3.14159'],
  [123456.789, '123457'],
  [123456789, '123457000'],
  [999999999, '1e+9'],
  [1234567890, '1.23457e+9'],
  [1.2e9, '1.2e+9'],
  [-1e300, '-1e+300'],
  [1e-7, '1e-7'],
  [Number.MAX_VALUE, '1.79769e+308'],
]

test.each(numbers)('%d is %s', (value, text) => {
  expect(formatNumber(value)).toBe(text)
})

test('writes counts with commas', () => {
  expect([0, 999, 1000, 4880, 1234567].map(formatCount)).toEqual(['0', '999', '1,000', '4,880', '1,234,567'])
})

test('computes range, fraction and mean', () => {
  expect(findExtent([3, -1, 2])).toEqual([-1, 3])
  expect(findExtent([])).toEqual([0, 0])
  expect([
    fractionWithin(5, 0, 10),
    fractionWithin(-5, 0, 10),
    fractionWithin(15, 0, 10),
    fractionWithin(1, 1, 1),
  ]).toEqual([0.5, 0, 1, 0])
  expect(fractionWithin(0, -Number.MAX_VALUE, Number.MAX_VALUE)).toBe(0.5)
  expect(computeMean([Number.MAX_VALUE, Number.MAX_VALUE])).toBe(Number.MAX_VALUE)
})

test('reduces values to means and keeps the extremes', () => {
  expect(downsampleValues([1, 3, 2, 4], 2)).toEqual([1, 4])
  expect(downsampleValues([0, 5, 5, 5, 5, 9], 3)).toEqual([0, 5, 9])
  expect(downsampleValues([1, 2], 5)).toEqual([1, 2])
  expect(downsampleValues([Number.NaN, Number.NaN, 1, 3], 2)).toEqual([Number.NaN, 3])
})

test('interpolates values linearly and keeps gaps', () => {
  expect(interpolateValues([0, 4], 5)).toEqual([0, 1, 2, 3, 4])
  expect(interpolateValues([0, Number.NaN, 2], 5)).toEqual([0, Number.NaN, Number.NaN, Number.NaN, 2])
})
