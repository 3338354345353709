// The rules for when a dialog takes the keys: not while the user types, and not from keys pressed
// before it appeared.

/** Time after a dialog appears during which keys still go to the editor. */
const blindKeyMs = 300
/** Time without a key after which the user is not typing. */
const quietMs = 800

/** Time of a dialog that no frame on the terminal has shown yet. */
export const notShown = Number.POSITIVE_INFINITY

/** Returns whether a waiting dialog may open by itself. A clock that was set back does not delay it. */
export function mayOpenDialog(editor: { text: string; lastKeyAt: number }, now: number): boolean {
  const quiet = now - editor.lastKeyAt
  return editor.text === '' && (quiet >= quietMs || quiet < 0)
}

/** Returns the dialog with the time of the first frame that showed it. */
export const showDialog = <D extends { readonly shownAt: number }>(dialog: D, now: number): D =>
  dialog.shownAt === notShown ? { ...dialog, shownAt: now } : dialog

/** Returns whether a key goes to the editor, because the user cannot have seen the dialog yet. */
export const isBlindKey = (shownAt: number, now: number): boolean =>
  shownAt === notShown || (now >= shownAt && now - shownAt < blindKeyMs)
