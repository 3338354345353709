// The rules for when a dialog receives the keys: not while the user types, and not keys that were pressed
// before it appeared.

/** Time in milliseconds after a dialog appears during which keys still go to the editor. */
const blindKeyMs = 300
/** Time in milliseconds without a key after which the user does not count as typing. */
const quietMs = 800

/** Time value of a dialog that the terminal has not shown yet in any frame. */
export const notShown = Number.POSITIVE_INFINITY

/**
 * Returns true if a waiting dialog may open by itself: the editor is empty and the user is not typing. A
 * clock that was set back does not delay it.
 */
export function mayOpenDialog(editor: { text: string; lastKeyAt: number }, now: number): boolean {
  const quiet = now - editor.lastKeyAt
  return editor.text === '' && (quiet >= quietMs || quiet < 0)
}

/**
 * Returns the dialog with `now` as the time of the first frame that showed it, unless it has such
 * a time already.
 */
export const showDialog = <D extends { readonly shownAt: number }>(dialog: D, now: number): D =>
  dialog.shownAt === notShown ? { ...dialog, shownAt: now } : dialog

/** Returns true if a key goes to the editor, because the user cannot have seen the dialog yet. */
export const isBlindKey = (shownAt: number, now: number): boolean =>
  shownAt === notShown || (now >= shownAt && now - shownAt < blindKeyMs)
