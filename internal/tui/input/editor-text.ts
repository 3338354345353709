// What becomes of the text in the editor: nothing that a person typed is lost.
import type { TextEditor } from '../terminal/library.ts'
import { addHistoryEntry, type InputHistory } from './history.ts'
import { expandPastes, type PasteStore } from './paste.ts'

/** The text, what stands for more in it, and what can be called back. */
export interface TextState {
  readonly editor: TextEditor
  pastes: PasteStore
  /** By what stands for them. */
  pictures: ReadonlyMap<string, unknown>
  /** The text that was put aside, as it was shown and whole. */
  aside: { shown: string; text: string; pastes: PasteStore } | undefined
  /** Whole texts that were sent and are not on record yet. */
  unsent: readonly { text: string }[]
  history: InputHistory
  menu: object | undefined
}

/** The text with its pastes in full. */
export const wholeText = ({ pastes, editor }: Pick<TextState, 'pastes' | 'editor'>): string =>
  expandPastes(pastes, editor.text())

/** What a crash may not take: what is on its way, the text, what was put aside, other words. */
export const draftOf = (state: TextState, others = ''): string =>
  joinTexts(...state.unsent.map(({ text }) => text), wholeText(state), state.aside?.text ?? '', others)

const joinTexts = (...texts: readonly string[]) => texts.filter((text) => text !== '').join('\n')

/** Another text instead; what was there can be called back. */
export function replaceText(state: TextState, text: string): void {
  state.history = addHistoryEntry(state.history, wholeText(state))
  state.pastes = new Map()
  state.editor.setText(text)
  state.menu = undefined
}

/** Takes the text out of the editor, so that it can be called back. */
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

/** Behind what is there already. */
export function addText({ editor }: TextState, text: string): void {
  if (text !== editor.text()) editor.setText(joinTexts(editor.text(), text))
}

/** Words that were typed and are not used can be called back. */
export function keepWords(state: Pick<TextState, 'history'>, words: string): void {
  state.history = addHistoryEntry(state.history, words)
}

/** Puts the text aside, or takes it back; one that was aside before can be called back. */
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

/** Backspace behind what stands for a paste or a picture takes all of it: a part of it stands for nothing. */
export function eraseLabel({ editor, pastes, pictures }: TextState): boolean {
  const text = editor.text()
  const before = text.slice(0, editor.caret())
  const label = [...pastes.keys(), ...pictures.keys()].find((one) => before.endsWith(one))
  if (label === undefined) return false
  const start = before.length - label.length
  // one change: one undo brings it back
  editor.setText(text.slice(0, start) + text.slice(before.length), start)
  return true
}
