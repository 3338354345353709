// Short fields of dialogs.
import { expect, test } from 'vitest'
import { editLine } from '../../../../internal/tui/dialog/line-edit.ts'

test.each([
  ['ab', { key: 'c', text: 'c' }, 'abc'],
  ['ab', { key: 'backspace', text: '' }, 'a'],
  ['a👩‍👩‍👧', { key: 'backspace', text: '' }, 'a'],
  ['one two ', { key: 'ctrl-w', text: '' }, 'one '],
  ['one two', { key: 'ctrl-u', text: '' }, ''],
  ['a', { key: '', text: 'x\u001b[2Jy\nz' }, 'axy z'],
  ['a', { key: 'up', text: '' }, 'a'],
])('%j and %j give %j', (line, press, expected) => {
  expect(editLine(line, press)).toBe(expected)
})
