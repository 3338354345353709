// Check whether a key press belongs to a field or to the browser, so that the page's shortcuts
// must ignore it.

/**
 * Returns true if the key was typed into a field, or together with Ctrl, Alt or Meta, as for shortcuts
 * of the browser.
 */
export function isTypedInto({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  )
}
