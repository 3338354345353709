// Lines with their cells, hanging texts, and the characters of a pen.
import { expect, test } from 'vitest'
import { blankLine, hangText, joinLines, makePen, makeSpaces, padLine } from '../../../internal/render/pen.ts'
import { look } from './draw.ts'

test('joins and fills lines', () => {
  expect(joinLines({ text: 'a', cells: 1 }, { text: '漢', cells: 2 })).toEqual({ text: 'a漢', cells: 3 })
  expect(padLine({ text: '漢', cells: 2 }, 4)).toEqual({ text: '漢  ', cells: 4 })
  expect(padLine({ text: 'abc', cells: 3 }, 2).text).toBe('abc')
  expect(makeSpaces(-1)).toBe(blankLine)
})

test('counts only the text of a styled line', () => {
  const pen = makePen({ ...look, color: 1 })
  expect(pen.line('漢', { color: 'red' })).toEqual({ text: '\x1b[31m漢\x1b[39m', cells: 2 })
})

test('uses ASCII on a terminal with wide ambiguous characters', () => {
  expect(makePen({ ...look, ambiguous: 2 }).glyphs.rule).toBe('-')
  expect(makePen({ ...look, unicode: false }).glyphs.ellipsis).toBe('...')
  expect(makePen(look).glyphs.rule).toBe('─')
})

const hanging: [string, string, number, string[]][] = [
  ['- ', 'one two three', 9, ['- one two', '  three']],
  ['label: ', 'value', 12, ['label: value']],
  ['a long label: ', 'value', 16, ['a long label:', '  value']],
  ['a long label: ', 'value', 8, ['a long', 'label:', '  value']],
  ['- ', 'a\nb', 9, ['- a', '  b']],
  ['ab ', 'c', 1, ['a', 'b', 'c']],
]

test.each(hanging)('%j next to %j at %i', (lead, body, width, lines) => {
  expect(hangText(lead, {}, body, {}, width, makePen(look)).map((line) => line.text)).toEqual(lines)
})
