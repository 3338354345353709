// The lines around the editor.
import { expect, test } from 'vitest'
import { drawEditorRule, frameEditor } from '../../../../internal/tui/view/editor-frame.ts'
import { lookOf } from '../../../support/session-view.ts'

test('a line fills the width, with a notice at its end', () => {
  expect(drawEditorRule(lookOf(20))).toBe('─'.repeat(20))
  expect(drawEditorRule(lookOf(20), '1 put aside')).toBe('────── 1 put aside ─')
  expect(drawEditorRule(lookOf(20, 0, false), 'a')).toBe(`${'-'.repeat(16)} a -`)
})

test('draws the text between two of them', () => {
  expect(frameEditor(['abc'], lookOf(10))).toEqual(['─'.repeat(10), ' abc', '─'.repeat(10)])
})
