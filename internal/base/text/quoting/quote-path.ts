// Form in which prompts and notes contain a path.

/**
 * Returns a path unchanged if it has only letters, digits, spaces and common punctuation, and otherwise, as
 * with double quotes, colons or control characters, as a JSON string.
 */
export const quotePath = (path: string): string =>
  /^[\p{L}\p{N} ._/@+,=~()[\]{}$#&!%^'-]+$/u.test(path) ? path : JSON.stringify(path)
