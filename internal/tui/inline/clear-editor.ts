// Takes the text out of the editor, so that it can be called back.
import { addHistoryEntry } from '../input/history.ts'
import type { InlineState } from './inline-state.ts'

/** What was in the editor can be called back. */
export function clearEditor(state: InlineState, text: string, isSaved = true): void {
  state.history = addHistoryEntry(state.history, text)
  state.editor.setText('')
  state.pastes = new Map()
  state.pictures = new Map()
  state.menu = undefined
  if (isSaved) state.draft.change('')
  state.screen.changed(true)
}
