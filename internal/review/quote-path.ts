// Writes a path into prompts and notes.

/** Returns a path unchanged, or as a JSON string if it contains characters that could break a line. */
export const quotePath = (path: string): string =>
  /^[\p{L}\p{N} ._/@+,=~()[\]{}$#&!%^'-]+$/u.test(path) ? path : JSON.stringify(path)
