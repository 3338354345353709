// Lines wrapped to a width: no character is lost, and no row is wider than the terminal.
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { codeKinds } from '../../../../internal/base/code/code-runs.ts'
import { makePen } from '../../../../internal/render/pen.ts'
import { countCells } from '../../../../internal/render/text/cell-width.ts'
import { breakLines, breakText, eachRow } from '../../../../internal/tui/terminal/rows.ts'
import { leastCost } from '../../../support/cost.ts'
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
    for (const piece of breakText(text, width)) {
      expect(countCells(piece, 2)).toBeLessThanOrEqual(width)
      expect([...piece.replace(/\p{M}/gu, '')].length).toBeLessThanOrEqual(width)
    }
  }
})

it('ends no piece inside a word that has room in a piece', () => {
  const random = rng(20261129)
  for (let i = 0; i < rounds(500, 2_000); i++) {
    const text = Array.from({ length: Math.floor(random() * 60) }, () => choice(random, pieces)).join('')
    const width = 8 + Math.floor(random() * 40)
    let end = 0
    for (const row of breakText(text, width).slice(0, -1)) {
      end += row.length
      const before = /[^ ]*$/.exec(text.slice(0, end))?.[0] ?? ''
      const after = /^[^ ]*/.exec(text.slice(end))?.[0] ?? ''
      // A terminal may draw each character of some clusters two cells wide.
      const cells = Math.max(2 * [...before, ...after].length, countCells(before + after, 2))
      if (before !== '' && after !== '') expect(cells).toBeGreaterThan(width)
    }
  }
})

it('breaks a text of a million characters into its first rows without reading the rest', () => {
  const pen = makePen({ width: 40, color: 0, unicode: true, ambiguous: 1, all: true })
  for (const word of ['word ', 'é', '漢字 ', 'x', '👍🏽']) {
    const text = word.repeat(1_000_000 / word.length)
    const first = () => eachRow([{ text, foreign: true }], 40, pen).next()
    expect(leastCost(50, first)).toBeLessThan(50)
  }
})

it('wraps sentences between words, after their lead', () => {
  const pen = makePen({ width: 30, color: 0, unicode: true, ambiguous: 1, all: true })
  const text = 'for all open files hold then'
  expect(breakLines([{ text, foreign: true, lead: 'why ' }], 24, pen)).toEqual([
    { text: 'why │ for all open ', line: 0 },
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

it('marks and kinds of code change the colors of a row and never its text', () => {
  const random = rng(20261127)
  const plain = makePen({ width: 30, color: 0, unicode: true, ambiguous: 1, all: false })
  const tints = { added: '#10251a', addedWords: '#1a4027', removed: '#2c1619', removedWords: '#57222a' }
  const looks = [1, 3].flatMap((color) => [{ color }, { color, tints }]) as { color: 1 | 3 }[]
  for (let i = 0; i < rounds(200, 1_000); i++) {
    const runs = Array.from({ length: Math.floor(random() * 20) }, () => ({
      text: choice(random, pieces),
      kind: choice(random, [undefined, ...codeKinds]),
    }))
    const text = runs.map((run) => run.text).join('')
    const bounds = Array.from({ length: 4 }, () => Math.floor(random() * (text.length + 1))).sort(
      (a, b) => a - b,
    )
    const marks = [bounds.slice(0, 2), bounds.slice(2)] as [number, number][]
    const style = choice(random, [{}, { color: 'green' }, { color: 'red' }])
    const line = { text, runs, marks, style, foreign: true }
    const expected = breakLines([{ text, foreign: true }], 30, plain).map((row) => row.text)
    for (const look of looks) {
      const rows = breakLines([line], 30, makePen({ ...plain.look, ...look }))
      expect(rows.map((row) => stripVTControlCharacters(row.text))).toEqual(expected)
    }
    expect(breakLines([line], 30, plain).map((row) => row.text)).toEqual(expected)
  }
})

const changed = (look: object, style: object) =>
  breakLines(
    [
      {
        text: 'const a',
        runs: [
          { text: 'const', kind: 'keyword' },
          { text: ' a', kind: undefined },
        ],
        marks: [[6, 7]],
        style,
        foreign: true,
      },
    ],
    30,
    makePen({ width: 30, color: 3, unicode: true, ambiguous: 1, all: false, ...look }),
  )[0]?.text.replace(`\x1b[2m│ \x1b[22m`, '')

it.each([
  ['an unchanged line has the colors of code', {}, {}, '\x1b[35mconst\x1b[39m \x1b[7ma\x1b[27m'],
  [
    'a changed line keeps its own color without tints',
    {},
    { color: 'green' },
    '\x1b[32m\x1b[1mconst\x1b[22m\x1b[39m\x1b[32m \x1b[39m\x1b[32m\x1b[7ma\x1b[27m\x1b[39m',
  ],
])('%s', (_, look, style, expected) => {
  expect(changed(look, style)).toBe(expected)
})
