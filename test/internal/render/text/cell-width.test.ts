// Cells of texts, compared with a table of another program, and cutting by cells.
import { expect, test } from 'vitest'
import {
  clipText,
  countCells,
  cutStart,
  cutText,
  splitClusters,
} from '../../../../internal/render/text/cell-width.ts'
import { sanitizeText } from '../../../../internal/render/text/terminal-filter.ts'
import fixture from '../../../fixtures/width.json' with { type: 'json' }
import { hostile, random } from '../random.ts'

test('cells agree with the recorded table', () => {
  const wrong = fixture.texts
    .map(([text, expected]) => [text, expected, countCells(text as string)])
    .filter(([, expected, found]) => expected !== found)
  expect(fixture.texts.length).toBeGreaterThan(1000)
  expect(wrong).toEqual([])
})

test('defines missing cases of the table: single regional indicator 1, spacing marks 0, two Indic syllables 2', () => {
  expect(['🇩', 'का', 'क्ष'].map((text) => countCells(text))).toEqual([1, 1, 2])
})

test('counts two cells for ambiguous characters on request, and none for marks', () => {
  expect(countCells('①─', 2)).toBe(4)
  expect(countCells('a\u0301x', 2)).toBe(2)
})

const cuts: [string, number, string, string][] = [
  ['abcdef', 3, 'abc', 'def'],
  ['漢字', 4, '漢字', '漢字'],
  ['漢字', 3, '漢 ', ' 字'],
  ['a漢b', 2, 'a ', ' b'],
  ['e\u0301xy', 1, 'e\u0301', 'y'],
  ['👨\u200d👩\u200d👧x', 2, '👨\u200d👩\u200d👧', ' x'],
  ['🇩🇪🇫🇷', 3, '🇩🇪 ', ' 🇫🇷'],
  ['abc', 0, '', ''],
]

test.each(cuts)('%j at %i cells', (text, width, start, end) => {
  expect(cutText(text, width)).toBe(start)
  expect(cutStart(text, width)).toBe(end)
})

const clips: [string, number, string, string, string][] = [
  ['abcdef', 6, 'abcdef', 'abcdef', 'abcdef'],
  ['abcdef', 4, 'abc…', 'ab…f', '…def'],
  ['漢字漢字', 5, '漢字…', '漢…字', '…漢字'],
  ['漢字漢字', 4, '漢 …', '漢…\u0020', '… 字'],
  ['abcdef', 1, '…', '…', '…'],
]

test.each(clips)('%j clipped to %i cells', (text, width, start, middle, end) => {
  expect(clipText(text, width, '…', 1, 'start')).toEqual({ text: start, cells: width })
  expect(clipText(text, width, '…', 1, 'middle')).toEqual({ text: middle, cells: width })
  expect(clipText(text, width, '…', 1, 'end')).toEqual({ text: end, cells: width })
})

test('cuts an ellipsis of three characters in narrow space', () => {
  expect(clipText('abcdef', 2, '...').text).toBe('..')
  expect(clipText('abcdef', 5, '...').text).toBe('ab...')
})

test('2,000 generated texts: clusters add up, cut texts fill their width exactly', () => {
  const rng = random(11)
  for (let i = 0; i < 2000; i++) {
    const text = sanitizeText(hostile(rng))
    const size = countCells(text)
    const parts = [...splitClusters(text)]
    expect(parts.map((part) => part.text).join('')).toBe(text)
    expect(
      parts.reduce((sum, part) => sum + part.cells, 0),
      JSON.stringify(text),
    ).toBe(size)
    for (const width of [1, 2, 5, 9]) {
      const wanted = Math.min(size, width)
      for (const made of [cutText(text, width), cutStart(text, width), clipText(text, width, '…').text]) {
        expect(countCells(made), `${JSON.stringify(text)} at ${width}`).toBe(wanted)
      }
    }
  }
})
