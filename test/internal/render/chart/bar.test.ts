// Bars: the common zero, eighths, and the layout of narrow lines.
import { expect, test } from 'vitest'
import { type ChartBar, drawBars } from '../../../../internal/render/chart/bar.ts'
import { makePen } from '../../../../internal/render/pen.ts'
import { look } from '../draw.ts'

const items = (...values: number[]): ChartBar[] =>
  values.map((value, i) => ({
    label: String.fromCharCode(97 + i),
    value,
    number: Number.isFinite(value) ? String(value) : '–',
    color: undefined,
  }))

const draw = (list: readonly ChartBar[], area: number, width = 60, unicode = true) =>
  drawBars(list, area, width, makePen({ ...look, width, unicode })).map((line) => line.text)

const cases: [string, string[], string[]][] = [
  [
    'the example of the manual',
    draw(items(-3, 2, 0.1), 20),
    ['a ████████████          -3', 'b             ████████   2', 'c             ▍        0.1'],
  ],
  [
    'ASCII has full cells only',
    draw(items(-3, 2, 0.1), 20, 60, false),
    ['a ############          -3', 'b             ########   2', 'c             #        0.1'],
  ],
  ['values below one use the whole width', draw(items(0.2, 0.1), 8), ['a ████████ 0.2', 'b ████     0.1']],
  ['all zero', draw(items(0, 0), 4), ['a      0', 'b      0']],
  ['all negative', draw(items(-1, -4), 8), ['a       ██ -1', 'b ████████ -4']],
  ['tiny values are seen', draw(items(-1e-9, 1), 5), ['a █     -1e-9', 'b  ████     1']],
  ['no number, no bar', draw(items(2, Number.NaN), 4), ['a ████ 2', 'b      –']],
  ['one cell for both signs', draw(items(-1, 1), 1), ['a █  -1', 'b  █  1']],
  ['no range for doubles', draw(items(1.7e308, -1.7e308), 4), ['a   ██  1.7e+308', 'b ██   -1.7e+308']],
  [
    'labels take a third at most',
    draw([{ label: 'a long label', value: 1, number: '1', color: undefined }], 9, 12),
    ['a l… █████ 1'],
  ],
  ['no room for bars', draw(items(-3, 2), 20, 4), ['a:', '-3', 'b: 2']],
  [
    'wide labels',
    draw([{ label: '漢字', value: 1, number: '1', color: undefined }, ...items(1)], 2),
    ['漢字 ██ 1', 'a    ██ 1'],
  ],
]

test.each(cases)('%s', (_, found, expected) => {
  expect(found).toEqual(expected)
})

test('without numbers only the labels are next to the bars', () => {
  expect(draw([{ label: 'x', value: 3, number: '', color: undefined }], 4)).toEqual(['x ████'])
})
