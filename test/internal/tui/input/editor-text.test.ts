// The text in the editor: no action loses typed text.
import { expect, it, test } from 'vitest'
import {
  draftOf,
  eraseLabel,
  exchangeAside,
  replaceText,
  type TextState,
  wholeText,
} from '../../../../internal/tui/input/editor-text.ts'
import { emptyHistory } from '../../../../internal/tui/input/history.ts'
import { addPaste } from '../../../../internal/tui/input/paste.ts'
import { openTextEditor } from '../../../../internal/tui/terminal/library.ts'
import { choice, rng } from '../../../support/rng.ts'

const emptyText = (): TextState => ({
  editor: openTextEditor(() => 24),
  pastes: new Map(),
  pictures: new Map(),
  unsent: [],
  aside: undefined,
  history: emptyHistory,
  menu: undefined,
})

const lines = (word: string) => Array.from({ length: 30 }, (_, i) => `${word} ${i}`).join('\n')

function paste(state: TextState, raw: string): void {
  const { store, insert } = addPaste(state.pastes, raw)
  state.pastes = store
  state.editor.insert(insert)
}

test.each(Array.from({ length: 50 }, (_, seed) => seed))('seed %i: every word is still somewhere', (seed) => {
  const random = rng(seed)
  const state = emptyText()
  const words: string[] = []
  const steps = [
    () => state.editor.insert(`${words[words.push(`word${words.length}`) - 1]} `),
    () => paste(state, lines(words[words.push(`pasted${words.length}`) - 1] ?? '')),
    () => exchangeAside(state),
    () => replaceText(state, ''),
    () => replaceText(state, '/usage '),
  ]
  for (let i = 0; i < 40; i++) {
    choice(random, steps)()
    const kept = [...state.history.entries, draftOf(state)].join('\n')
    expect(words.filter((word) => !kept.includes(`${word} `))).toEqual([])
    expect(kept.match(/\[paste/)).toBeNull()
  }
})

it('returns the text that was set aside with its pastes, after any other messages', () => {
  const state = emptyText()
  paste(state, lines('aside'))
  exchangeAside(state)
  expect(state.editor.isEmpty()).toBe(true)
  paste(state, lines('other'))
  replaceText(state, '')
  exchangeAside(state)
  expect(state.editor.text()).toBe('[paste 1, 30 lines]')
  expect(wholeText(state)).toBe(lines('aside'))
})

it('deletes the label of a paste or an image as a whole', () => {
  const state = emptyText()
  state.editor.insert('see ')
  paste(state, lines('all'))
  state.pictures = new Map([['[picture 1 käse.png 1x1]', { mime: 'image/png', base64: '' }]])
  state.editor.insert(' [picture 1 käse.png 1x1]')
  expect(eraseLabel(state)).toBe(true)
  expect(state.editor.text()).toBe('see [paste 1, 30 lines] ')
  expect(eraseLabel(state)).toBe(false)
  state.editor.press('\x7f')
  expect(eraseLabel(state)).toBe(true)
  expect(state.editor.text()).toBe('see ')
})

it('restores a deleted label with its contents by one undo', () => {
  const state = emptyText()
  paste(state, lines('all'))
  state.editor.insert(' tell me')
  for (const _ of ' tell me') state.editor.press('\x1b[D')
  expect(eraseLabel(state)).toBe(true)
  expect(state.editor.text()).toBe(' tell me')
  expect(state.editor.caret()).toBe(0)
  state.editor.press('\x1f')
  expect(wholeText(state)).toBe(`${lines('all')} tell me`)
})
