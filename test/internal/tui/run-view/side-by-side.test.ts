// A change in two columns: numbers of both sides, changed words, and long lines without loss.
import { expect, it } from 'vitest'
import { makePen } from '../../../../internal/render/pen.ts'
import { countCells } from '../../../../internal/render/text/cell-width.ts'
import { textLook } from '../../../../internal/tui/approval/argument-lines.ts'
import { drawSideBySide } from '../../../../internal/tui/run-view/side-by-side.ts'

const pen = (color: 0 | 1 = 0) => makePen({ width: 140, color, unicode: true, ambiguous: 1, all: true })
const file = (hunks: string) => ({ path: 'a.ts', what: 'changed', hunks, added: 1, removed: 1 })

it('puts the old lines next to the new lines, each with its number', () => {
  const hunks =
    '@@ -8,3 +9,4 @@\n same\n-const a = 1\n+const a = 2\n+more\n last\n\\ No newline at end of file\n'
  expect(drawSideBySide(file(hunks), textLook(true), 43, pen())).toEqual(
    [
      'a.ts  changed  +1 -1',
      '@@ -8,3 +9,4 @@',
      '   8  same           │    9  same',
      '-  9  const a = 1    │ + 10  const a = 2',
      '                     │ + 11  more',
      '  10  last           │   12  last',
      '\\ No newline at end of file',
    ].map((line) => line.trimEnd()),
  )
})

it('draws the changed part of a line in reverse', () => {
  const rows = drawSideBySide(file('-const a = 1\n+const a = 2\n'), textLook(true), 60, pen(1))
  expect(rows[1]).toMatch(/\x1b\[7m1\x1b\[27m[\s\S]*\x1b\[7m2\x1b\[27m/)
})

it('breaks long lines on their side and loses no character', () => {
  const long = 'word '.repeat(30).trim()
  const rows = drawSideBySide(file(`-${long}\n+${long} and 広い文字\n`), textLook(true), 80, pen()).slice(1)
  for (const row of rows) expect(countCells(row)).toBeLessThanOrEqual(80)
  const side = (at: 0 | 1) =>
    rows
      .map((row) => (row.split(' │ ')[at] ?? '').slice(5))
      .join('')
      .replace(/\s+/g, '')
  expect(side(0)).toBe(long.replace(/\s+/g, ''))
  expect(side(1)).toBe(`${long} and 広い文字`.replace(/\s+/g, ''))
})
