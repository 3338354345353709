// Comparison of quotes with their sources.

/** Returns a text in the form for comparisons: NFC, every run of white space as one space. */
export const foldSpace = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim()

/** Returns whether the text contains the quote. An empty quote is never contained. */
export function containsQuote(text: string, quote: string): boolean {
  const wanted = foldSpace(quote)
  return wanted !== '' && foldSpace(text).includes(wanted)
}
