// Where lines break.
import { expect, test } from 'vitest'
import { countCells } from '../../../../internal/render/text/cell-width.ts'
import { wrapText } from '../../../../internal/render/text/line-wrap.ts'
import { sanitizeText } from '../../../../internal/render/text/terminal-filter.ts'
import { rounds } from '../../../support/sample.ts'
import { hostile, random } from '../random.ts'

const cases: [string, number, string[]][] = [
  ['', 5, ['']],
  ['one two', 7, ['one two']],
  ['one two', 6, ['one', 'two']],
  ['one  two', 6, ['one', 'two']],
  ['  indented words', 10, ['  indented', 'words']],
  ['a\n\nb', 5, ['a', '', 'b']],
  ['abcdefgh', 3, ['abc', 'def', 'gh']],
  ['ab cdefgh', 3, ['ab', 'cde', 'fgh']],
  ['漢字漢字', 5, ['漢字', '漢字']],
  ['漢字', 1, [' ', ' ']],
  ['       ', 3, ['']],
  ['e\u0301e\u0301e\u0301', 2, ['e\u0301e\u0301', 'e\u0301']],
]

test.each(cases)('%j at %i', (text, width, lines) => {
  expect(wrapText(text, width)).toEqual(lines)
})

test('generated texts: no line too wide, nothing but spaces lost', () => {
  const rng = random(12)
  for (let i = 0; i < rounds(500, 2_000); i++) {
    const text = sanitizeText(hostile(rng), { keepLines: true })
    for (const width of [2, 3, 8, 20]) {
      const lines = wrapText(text, width)
      for (const line of lines) expect(countCells(line), JSON.stringify(text)).toBeLessThanOrEqual(width)
      expect(lines.join('').replace(/[ \n]/g, '')).toBe(text.replace(/[ \n]/g, ''))
    }
  }
})
