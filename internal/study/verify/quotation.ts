// Comparison of quotes with the texts from which they are taken.

/**
 * Returns a text in the form in which texts are compared: NFC, with every run of white space as one space,
 * trimmed at both ends.
 */
export const foldSpace = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim()

const doubleQuotes = /[\u201c-\u201f\u00ab\u00bb]/g
const singleQuotes = /[\u2018-\u201b]/g

/** Returns a text without spaces next to punctuation, with straight quote marks. */
const foldSigns = (text: string): string =>
  foldSpace(text)
    .replace(doubleQuotes, '"')
    .replace(singleQuotes, "'")
    .replace(/ ?([^\p{L}\p{N}\p{M}_ ]) ?/gu, '$1')

const commentStart =
  /^[ \t]*(?:\/{2,3}!?|\/\*+!?|\*+\/|\*(?=\s|$)|#+(?=\s|$)|--(?=\s)|;+(?=\s)|>+(?=\s|$)|<!--|"""|''')[ \t]?/gm
const commentEnd = /[ \t]*(?:\*+\/|-->|"""|''')[ \t]*$/gm

/** Returns a text without the marks of comments and docstrings. */
export const dropCommentMarks = (text: string): string =>
  text.replace(commentStart, '').replace(commentEnd, '')

const ellipsis = /\[\s*(?:…|\.{3})\s*\]|…|\.{3}/

/**
 * Returns the pieces of a quote between `…`, `...` and `[…]`; pieces that contain only signs are left out. A
 * quote without an ellipsis is one piece.
 */
export const splitQuote = (quote: string): string[] =>
  quote.split(new RegExp(ellipsis, 'g')).filter((piece) => /[\p{L}\p{N}]/u.test(piece))

/**
 * Returns true if the text contains the quote, or all its pieces in order. Differences in white space,
 * comment marks and the form of quote marks are ignored. A piece never begins or ends inside a number. An
 * empty quote is never contained.
 */
export function containsQuote(text: string, quote: string): boolean {
  if (foldSigns(quote) === '') return false
  const forms = [text, dropCommentMarks(text)].map(foldSigns)
  return [[quote], splitQuote(quote)].some((pieces) =>
    forms.some(
      (form, i) =>
        hasInOrder(form, pieces.map(foldSigns)) ||
        (i > 0 &&
          hasInOrder(
            form,
            pieces.map((piece) => foldSigns(dropCommentMarks(piece))),
          )),
    ),
  )
}

function hasInOrder(text: string, pieces: readonly string[]): boolean {
  let from = 0
  for (const piece of pieces) {
    from = findEnd(text, piece, from)
    if (from < 0) return false
  }
  return pieces.length > 0
}

/**
 * Returns the index after the first occurrence of `piece` in `text` from `from` on that does not cut a
 * number, or -1.
 */
function findEnd(text: string, piece: string, from: number): number {
  if (piece === '') return -1
  for (let at = text.indexOf(piece, from); at >= 0; at = text.indexOf(piece, at + 1)) {
    const end = at + piece.length
    const isCutBefore = /^\d/.test(piece) && /\d[.,]?$/.test(text.slice(Math.max(0, at - 2), at))
    const isCutAfter = /\d$/.test(piece) && /^[.,]?\d/.test(text.slice(end, end + 2))
    if (!isCutBefore && !isCutAfter) return end
  }
  return -1
}
