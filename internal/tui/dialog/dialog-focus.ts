// When a dialog may take the keys: never while somebody types, and never by the keys that were on their way.

/** Keys of this time after a dialog appeared were meant for the editor. */
const blindKeyMs = 300
/** So long no key came: nobody is typing. */
const quietMs = 800

/** Whether a dialog that waits may open by itself. */
export function mayOpenDialog(editor: { text: string; lastKeyAt: number }, now: number): boolean {
  return editor.text === '' && now - editor.lastKeyAt >= quietMs
}

/** Whether a key is the editor's, because nobody can have seen the dialog yet. */
export const isBlindKey = (openedAt: number, now: number): boolean => now - openedAt < blindKeyMs
