// How a path is printed in prompts and notes.

/** Returns a path as it is, or as a JSON string when it contains characters that could break a line. */
export const quotePath = (path: string): string =>
  /^[\p{L}\p{N} ._/@+,=~()[\]{}$#&!%^'-]+$/u.test(path) ? path : JSON.stringify(path)
