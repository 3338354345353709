// Known colors, and the codes of each depth.
import { expect, test } from 'vitest'
import { isColor, makePainter } from '../../../../internal/render/text/color.ts'

test('knows sixteen names and hexadecimal colors', () => {
  const known = ['black', 'red', 'gray', 'grey', 'cyanBright', '#abc', '#A0b1C2']
  expect(known.filter(isColor)).toEqual(known)
  expect(['', 'Red', 'toString', 'constructor', '#ab', '#abcd', 'rgb(1,2,3)'].filter(isColor)).toEqual([])
})

test('adds nothing without color', () => {
  expect(makePainter(0)({ color: 'red', bold: true })('x')).toBe('x')
})

test('adds nothing for unknown colors and empty styles', () => {
  const paint = makePainter(3)
  expect(paint({ color: 'nope', backgroundColor: '#12' })('x')).toBe('x')
  expect(paint({})('x')).toBe('x')
  expect(paint({ color: 'red' })('')).toBe('')
})

const codes: [1 | 2 | 3, Parameters<ReturnType<typeof makePainter>>[0], string][] = [
  [1, { color: 'red' }, '\x1b[31mx\x1b[39m'],
  [1, { color: 'grey' }, '\x1b[90mx\x1b[39m'],
  [1, { backgroundColor: 'blue' }, '\x1b[44mx\x1b[49m'],
  [1, { backgroundColor: 'redBright' }, '\x1b[101mx\x1b[49m'],
  [1, { color: '#ff0000' }, '\x1b[91mx\x1b[39m'],
  [2, { color: '#ff0000' }, '\x1b[38;5;196mx\x1b[39m'],
  [3, { color: '#f00' }, '\x1b[38;2;255;0;0mx\x1b[39m'],
  [3, { backgroundColor: '#000102' }, '\x1b[48;2;0;1;2mx\x1b[49m'],
  [1, { bold: true }, '\x1b[1mx\x1b[22m'],
  [1, { dim: true, italic: true }, '\x1b[2m\x1b[3mx\x1b[23m\x1b[22m'],
  [1, { underline: true, strikethrough: true }, '\x1b[4m\x1b[9mx\x1b[29m\x1b[24m'],
  [1, { inverse: true }, '\x1b[7mx\x1b[27m'],
]

test.each(codes)('depth %i: %j', (depth, style, expected) => {
  expect(makePainter(depth)(style)('x')).toBe(expected)
})
