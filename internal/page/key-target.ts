// Whether a key belongs to what it was pressed in.

/** Also true for shortcuts of the browser. */
export function isTypedInto({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  )
}
