// The characters of a sparkline.
import { expect, test } from 'vitest'
import { describeValues, drawSpark, sparkLines } from '../../../../internal/render/chart/sparkline.ts'
import { makePen } from '../../../../internal/render/pen.ts'
import { look } from '../draw.ts'

const pen = makePen(look)
const ascii = makePen({ ...look, unicode: false })

test('uses eight characters, six in ASCII', () => {
  expect(drawSpark([0, 1, 2, 3, 4, 5, 6, 7], 20, {}, pen)).toBe('▁▂▃▄▅▆▇█')
  expect(drawSpark([0, 1, 2, 3, 4, 5], 20, {}, ascii)).toBe('_.-=*#')
})

test('draws equal values in the middle', () => {
  expect(drawSpark([5, 5], 9, {}, pen)).toBe('▄▄')
  expect(drawSpark([5], 9, {}, ascii)).toBe('-')
})

test('bounds of the scale clamp values and drop nothing', () => {
  expect(drawSpark([-10, 0, 5, 10, 99], 9, { min: 0, max: 10 }, pen)).toBe('▁▁▅██')
  expect(drawSpark([1, 2], 9, { min: 5, max: 5 }, pen)).toBe('▄▄')
  expect(drawSpark([1, 2], 9, { min: 9, max: 5 }, pen)).toBe('▄▄')
})

test('more values than cells keep their extremes', () => {
  expect(drawSpark([5, 5, 5, 0, 5, 5, 9, 5], 4, {}, pen)).toBe('▅▁▅█')
})

test('returns the minimum, the maximum and the last value', () => {
  expect(describeValues([1, 9, 4])).toEqual(['min 1', 'max 9', 'last 4'])
})

const values = Array.from({ length: 30 }, (_, i) => i)

const lines: [string, number, string[]][] = [
  ['', 80, ['<30> min 0  max 29  last 29']],
  ['', 40, ['<17> min 0  max 29  last 29']],
  ['load', 30, ['load <25>', 'min 0  max 29  last 29']],
  ['', 15, ['<15>', 'min 0  max 29', 'last 29']],
  // too narrow for characters, so only the facts are shown
  ['load', 2, []],
]

test.each(lines)('draws the label %j at width %i', (label, width, expected) => {
  const pen = makePen({ ...look, width })
  const found = sparkLines({ values, label, marks: 30, color: undefined }, width, pen)
  for (const line of found) expect(line.cells).toBeLessThanOrEqual(width)
  const texts = found.map((line) => line.text.replace(/[▁-█]+/, (marks) => `<${marks.length}>`))
  if (expected.length > 0) expect(texts).toEqual(expected)
  else expect(texts.join('')).toMatch(/min.*0.*max.*29/)
})
