// Line charts: nine rows, gaps, single points, labels.
import { expect, test } from 'vitest'
import { drawPlot } from '../../../../internal/render/chart/plot.ts'
import { makePen } from '../../../../internal/render/pen.ts'
import { look } from '../draw.ts'

const draw = (values: number[], area: number, width = 60, unicode = true) =>
  drawPlot(values, area, width, makePen({ ...look, width, unicode })).map((line) => line.text)

test('draws a rising line', () => {
  expect(draw([0, 8], 5)).toEqual([
    '8 ┤   ╭',
    '7 ┤   │',
    '6 ┤  ╭╯',
    '5 ┤  │',
    '4 ┤ ╭╯',
    '3 ┤ │',
    '2 ┤╭╯',
    '1 ┤│',
    '0 ┼╯',
  ])
})

test('draws only ASCII on a terminal without Unicode', () => {
  expect(draw([0, 8, 0], 5, 60, false).join('\n')).toMatch(/^[\x20-\x7e\n]+$/)
})

test('draws equal values in one row', () => {
  expect(draw([3, 3, 3], 4)).toEqual(['3 ┤────'])
})

test('draws one value as a dot', () => {
  expect(draw([7], 10)).toEqual(['• 7'])
  expect(draw([Number.NaN, 7], 10)).toEqual(['• 7'])
})

test('a gap splits the line, and a point between gaps is a dot', () => {
  const rows = draw([0, 0, Number.NaN, 8, Number.NaN, 4, 4], 7)
  expect(rows).toHaveLength(9)
  expect(rows[0]).toBe('8 ┤  •')
  expect(rows[4]).toBe('4 ┤     ─')
  expect(rows[8]).toBe('0 ┼─')
})

test('draws values whose range exceeds a double', () => {
  const rows = draw([-Number.MAX_VALUE, Number.MAX_VALUE], 10)
  expect(rows).toHaveLength(9)
  expect(rows.join('')).not.toMatch(/NaN|Infinity/)
})

test('reduces many points to the width, and stretches few points', () => {
  const many = draw(
    Array.from({ length: 500 }, (_, i) => Math.sin(i / 50)),
    30,
  )
  expect(Math.max(...many.map((row) => row.length))).toBeLessThanOrEqual('-0.987 ┤'.length + 30)
  expect(many).toHaveLength(9)
})

test('draws only the labels if the line does not fit', () => {
  expect(draw([100, 200], 10, 5)).toEqual(['200 …'])
})
