// Text marked with the mouse: what is drawn in reverse is what is copied.
import { expect, test } from 'vitest'
import { markSelection, readSelection } from '../../../../internal/tui/full/selection.ts'
import { lookOf } from '../../../support/session-view.ts'

const lines = [' one two', ' \x1b[1mbold\x1b[0m 漢字 end', '', ' last']

test('a part of one line', () => {
  const selection = { from: { line: 0, column: 5 }, to: { line: 0, column: 7 } }
  expect(readSelection(lines, selection)).toBe('two')
  expect(markSelection(lines.slice(0, 2), 0, selection, lookOf(40, 1))).toEqual([
    ' one \x1b[7mtwo\x1b[27m',
    lines[1],
  ])
})

test('several lines, marked upwards, with wide characters and without styles', () => {
  const selection = { from: { line: 3, column: 2 }, to: { line: 1, column: 6 } }
  expect(readSelection(lines, selection)).toBe('漢字 end\n\nla')
})

test('each line that is selected from its first cell is copied without the margin', () => {
  const selection = { from: { line: 0, column: 0 }, to: { line: 1, column: 4 } }
  expect(readSelection(lines, selection)).toBe('one two\nbold')
})

test('a window that has scrolled marks the same text', () => {
  const selection = { from: { line: 3, column: 1 }, to: { line: 3, column: 4 } }
  expect(markSelection([' last'], 3, selection, lookOf(40, 1))).toEqual([' \x1b[7mlast\x1b[27m'])
  expect(markSelection([' last'], 2, selection, lookOf(40, 1))).toEqual([' last'])
})
