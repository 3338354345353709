// Lines wrapped to a width: no character is lost, and no row is wider than the terminal.
import { expect, it } from 'vitest'
import { makePen } from '../../../../internal/render/pen.ts'
import { countCells } from '../../../../internal/render/text/cell-width.ts'
import { breakLines, breakSentence, breakText } from '../../../../internal/tui/terminal/rows.ts'
import { choice, rng } from '../../../support/rng.ts'
import { rounds } from '../../../support/sample.ts'

const pieces = [
  'a',
  ' ',
  '  ',
  'word',
  '漢',
  'é',
  'e\u0301',
  '👍🏽',
  '🇩🇪',
  '─',
  '★',
  'ש',
  '각',
  '\u1100\u1161\u11a8',
  '❤',
  '1\ufe0f\u20e3',
]

it('random texts at random widths: joined, the pieces are the text', () => {
  const random = rng(20260805)
  for (let i = 0; i < rounds(500, 2_000); i++) {
    const text = Array.from({ length: Math.floor(random() * 60) }, () => choice(random, pieces)).join('')
    const width = 8 + Math.floor(random() * 40)
    expect(breakText(text, width).join('')).toBe(text)
    expect(breakSentence(text, width).join('')).toBe(text)
    for (const row of breakSentence(text, width))
      expect(countCells(row.trimEnd(), 2)).toBeLessThanOrEqual(width)
    for (const piece of breakText(text, width)) {
      expect(countCells(piece, 2)).toBeLessThanOrEqual(width)
      expect([...piece.replace(/\p{M}/gu, '')].length).toBeLessThanOrEqual(width)
    }
  }
})

it('wraps sentences between words, after their lead', () => {
  const pen = makePen({ width: 30, color: 0, unicode: true, ambiguous: 1, all: true })
  const text = 'whatever the files hold then'
  expect(breakLines([{ text, foreign: true, wraps: true, lead: 'why ' }], 24, pen)).toEqual([
    { text: 'why │ whatever the', line: 0 },
    { text: '    ╎ files hold then', line: 0 },
  ])
})

it('puts a bar before foreign text, and a broken bar before its continuation', () => {
  for (const unicode of [true, false]) {
    const pen = makePen({ width: 20, color: 0, unicode, ambiguous: 1, all: true })
    const lines = [{ text: 'ours' }, { text: `${'x'.repeat(30)}| no`, foreign: true }]
    const [begins, goesOn] = unicode ? ['│ ', '╎ '] : ['| ', ': ']
    expect(breakLines(lines, 20, pen).map(({ text }) => text)).toEqual([
      'ours',
      `${begins}${'x'.repeat(17)}`,
      `${goesOn}${'x'.repeat(13)}| no`,
    ])
  }
})
