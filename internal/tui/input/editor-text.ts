// The text in the editor, with operations on it that never lose typed text.
import type { TextEditor } from '../terminal/library.ts'
import { addHistoryEntry, type InputHistory } from './history.ts'
import { expandPastes, type PasteStore } from './paste.ts'

/** The text in the editor, its labels of pastes and images, and the texts that can be recalled. */
export interface TextState {
  readonly editor: TextEditor
  pastes: PasteStore
  /** Attached images by their labels in the text. */
  pictures: ReadonlyMap<string, unknown>
  /** The text that the user has stashed, as it was shown and with expanded pastes. */
  aside: { shown: string; text: string; pastes: PasteStore } | undefined
  /** Complete texts of messages that were sent and are not recorded yet. */
  unsent: readonly { text: string }[]
  history: InputHistory
  menu: object | undefined
}

/** Returns the text in the editor with its pastes expanded. */
export const wholeText = ({ pastes, editor }: Pick<TextState, 'pastes' | 'editor'>): string =>
  expandPastes(pastes, editor.text())

/**
 * Returns the draft that must survive a crash: sent texts that are not recorded, the text in the editor, the
 * stashed text and `others`.
 */
export const draftOf = (state: TextState, others = ''): string =>
  joinTexts(...state.unsent.map(({ text }) => text), wholeText(state), state.aside?.text ?? '', others)

const joinTexts = (...texts: readonly string[]) => texts.filter((text) => text !== '').join('\n')

/** Replaces the text in the editor. The previous text can be recalled from the history. */
export function replaceText(state: TextState, text: string): void {
  state.history = addHistoryEntry(state.history, wholeText(state))
  state.pastes = new Map()
  state.editor.setText(text)
  state.menu = undefined
}

/** Clears the editor. The previous text can be recalled from the history. */
export function clearEditor({
  composer,
  screen,
}: {
  composer: TextState
  screen: { changed(soon: boolean): void }
}): void {
  replaceText(composer, '')
  screen.changed(true)
}

/** Appends a text to the text in the editor, unless both are equal. */
export function addText({ editor }: TextState, text: string): void {
  if (text !== editor.text()) editor.setText(joinTexts(editor.text(), text))
}

/** Adds typed words that had no effect to the history, so that the user can recall them. */
export function keepWords(state: Pick<TextState, 'history'>, words: string): void {
  state.history = addHistoryEntry(state.history, words)
}

/**
 * Stashes the text in the editor, or restores the stashed text if the editor is empty. An earlier stashed
 * text moves to the history.
 */
export function exchangeAside(state: TextState): void {
  const { aside, editor, pastes } = state
  const text = wholeText(state)
  if (text === '') {
    state.aside = undefined
    state.pastes = aside?.pastes ?? new Map()
    editor.setText(aside?.shown ?? '')
    return
  }
  if (aside) state.history = addHistoryEntry(state.history, aside.text)
  state.aside = { shown: editor.text(), text, pastes }
  state.pastes = new Map()
  editor.setText('')
}

/**
 * Deletes the whole label of a paste or an image when Backspace is pressed, because a part of a label has no
 * meaning. Returns false if no label is directly before the caret.
 */
export function eraseLabel({ editor, pastes, pictures }: TextState): boolean {
  const text = editor.text()
  const before = text.slice(0, editor.caret())
  const label = [...pastes.keys(), ...pictures.keys()].find((one) => before.endsWith(one))
  if (label === undefined) return false
  const start = before.length - label.length
  // The deletion is a single change, so that one undo restores the label.
  editor.setText(text.slice(0, start) + text.slice(before.length), start)
  return true
}
