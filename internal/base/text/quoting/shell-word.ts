// Words that a POSIX shell reads unchanged.

/** Returns a text in single quotes, which a shell reads as one word. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Returns a word for a shell, in quotes only if the shell would read it in another way without them. */
export const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : quoteForShell(word)
