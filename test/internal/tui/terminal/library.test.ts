// The used parts of the terminal library: its text editor, the position of the caret, names of keys.
import { expect, it } from 'vitest'
import { nameKey, openTextEditor } from '../../../../internal/tui/terminal/library.ts'

const typed = (...keys: string[]) => {
  const editor = openTextEditor(() => 24)
  for (const key of keys) editor.press(key)
  return editor
}

it.each([
  ['\x1b[A', 'up'],
  ['\x1b[5~', 'pageUp'],
  ['\x1b[Z', 'shift+tab'],
  ['\x10', 'ctrl+p'],
  ['\x1b[13;2u', 'shift+enter'],
  ['\x1b', 'escape'],
  // tmux, screen and the console; rxvt
  ['\x1b[1~', 'home'],
  ['\x1b[4~', 'end'],
  ['\x1b[7~', 'home'],
  ['\x1b[8~', 'end'],
  ['\x1b[99;99;99q', undefined],
])('%j is the key %s', (sequence, name) => {
  expect(nameKey(sequence)).toBe(name)
})

it('edits with Emacs keys, kill ring and undo', () => {
  const editor = typed(...'one two', '\x17')
  expect(editor.text()).toBe('one ')
  editor.press('\x19')
  expect(editor.text()).toBe('one two')
  for (const key of ['\x01', 'X', '\x05', '!']) editor.press(key)
  expect(editor.text()).toBe('Xone two!')
  editor.press('\x1f')
  expect(editor.text()).not.toBe('Xone two!')
})

it('deletes whole characters', () => {
  expect(typed('a', '👍🏽', '\x7f').text()).toBe('a')
  expect(typed('e\u0301', '\x7f').text()).toBe('')
})

it('neither Enter nor inserted text submits the text or prints control sequences', () => {
  const editor = typed('a', '\r')
  editor.insert('b\x1b[2Jc\nd')
  expect(editor.text().replace(/\n/g, '|')).toMatch(/^a\|?b.*c\|d$/)
  expect(editor.text()).not.toContain('\x1b')
  editor.setText('x\x07y')
  expect(editor.text()).toBe('xy')
  expect(editor.isEmpty()).toBe(false)
})

it('draws its lines without borders, and returns the caret and the number of hidden lines', () => {
  const editor = typed()
  editor.setText('first\n漢字')
  expect(editor.draw(40)).toMatchObject({
    rows: ['first', '漢字'],
    caret: { row: 1, column: 4 },
    hiddenBefore: 0,
  })
  expect([editor.isAtStart(), editor.isAtEnd(), editor.caret()]).toEqual([false, true, 8])
  editor.press('\x1b[A')
  expect([editor.isAtStart(), editor.isAtEnd()]).toEqual([true, false])
  editor.setText(Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n'))
  const drawn = editor.draw(40)
  expect(drawn.rows.length).toBeLessThan(24)
  expect(drawn.hiddenBefore + drawn.rows.length + drawn.hiddenAfter).toBe(40)
})
