// When a dialog may take the keys: never while somebody types, and never by the keys that were on their way.

/** Keys of this time after a dialog appeared were meant for the editor. */
const blindKeyMs = 300
/** So long no key came: nobody is typing. */
const quietMs = 800

/** Of a dialog that no frame on the terminal has shown yet. */
export const notShown = Number.POSITIVE_INFINITY

/** Whether a dialog that waits may open by itself; a clock that was set back keeps nobody waiting. */
export function mayOpenDialog(editor: { text: string; lastKeyAt: number }, now: number): boolean {
  const quiet = now - editor.lastKeyAt
  return editor.text === '' && (quiet >= quietMs || quiet < 0)
}

/** The same dialog from the first frame on that the terminal has taken of it. */
export const showDialog = <D extends { readonly shownAt: number }>(dialog: D, now: number): D =>
  dialog.shownAt === notShown ? { ...dialog, shownAt: now } : dialog

/** Whether a key is the editor's, because nobody can have seen the dialog yet. */
export const isBlindKey = (shownAt: number, now: number): boolean =>
  shownAt === notShown || (now >= shownAt && now - shownAt < blindKeyMs)
