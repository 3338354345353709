// Removes control characters from text of other programs.

/**
 * Returns `text` without control characters, except line feeds and tabs, and without white space around it.
 */
export function stripControlCharacters(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '').trim()
}
