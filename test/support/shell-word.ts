// Words of a shell line in tests.

/** Returns the text as one word of a shell, also if it has quotes and blanks. */
export const quoteWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
