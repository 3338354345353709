// How quotations are compared with what they are taken from.

/** The form in which quotes and excerpts are compared: NFC, every run of white space one space. */
export const foldSpace = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim()

/** An empty quote quotes nothing. */
export function containsQuote(text: string, quote: string): boolean {
  const wanted = foldSpace(quote)
  return wanted !== '' && foldSpace(text).includes(wanted)
}
