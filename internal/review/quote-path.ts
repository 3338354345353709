// Writes a path into prompts and notes.

/**
 * Returns a path unchanged if it has only letters, digits, spaces and common punctuation, and otherwise, as
 * with quotes, colons or control characters, as a JSON string.
 */
export const quotePath = (path: string): string =>
  /^[\p{L}\p{N} ._/@+,=~()[\]{}$#&!%^'-]+$/u.test(path) ? path : JSON.stringify(path)
