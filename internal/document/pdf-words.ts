// The joining of words that a PDF has split at the ends of lines.
import type { PdfLine } from './pdf-lines.ts'

const broken = /(\p{L}{2,})[-\u2010]$/u
const goesOn = /^(\p{Ll}+)/u

/**
 * Returns a function that joins the lines of a paragraph: with line breaks, and a word that is split at the
 * end of a line without a break. It keeps the hyphen of that word only if the document contains the word with
 * the hyphen and never without it.
 */
export function joinHyphenated(pages: readonly PdfLine[][]): (lines: readonly PdfLine[]) => string {
  const documentWords = new Set<string>()
  for (const { text } of pages.flat())
    for (const [word] of text.matchAll(/\p{L}[\p{L}-]+\p{L}/gu)) documentWords.add(word.toLowerCase())
  return (lines) => {
    let out = ''
    for (const { text } of lines) {
      const first = broken.exec(out)?.[1]
      const second = goesOn.exec(text)?.[1]
      if (first === undefined || second === undefined) {
        out += out === '' ? text : `\n${text}`
        continue
      }
      const hyphenated = `${first}-${second}`.toLowerCase()
      const keep = documentWords.has(hyphenated) && !documentWords.has(`${first}${second}`.toLowerCase())
      out = (keep ? out : out.slice(0, -1)) + text
    }
    return out
  }
}
