// Excerpts of a text that show why a search found the text.
import { listWordBeginnings } from '../../base/text/scripts/word-forms.ts'

/**
 * Removes accents and case from each character separately, so that positions stay the same as in the text.
 */
function foldText(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase()
  let out = ''
  for (const unit of text.split('')) {
    const folded = unit.normalize('NFD').charAt(0).toLowerCase()
    out += folded.length === 1 ? folded : unit
  }
  return out
}

/**
 * Returns at most 200 positions of `term` in the folded text. If it does not occur, returns the positions of
 * other forms of the same word, or of its first letters, because the index contains stems of words.
 */
function findPlaces(folded: string, term: string): number[] {
  const foldedTerm = foldText(term.normalize('NFC'))
  for (const part of [
    foldedTerm,
    ...listWordBeginnings(term).map(foldText),
    foldedTerm.slice(0, Math.max(4, foldedTerm.length - 3)),
  ]) {
    const positions: number[] = []
    for (
      let at = folded.indexOf(part);
      at >= 0 && positions.length < 200;
      at = folded.indexOf(part, at + 1)
    ) {
      positions.push(at)
    }
    if (positions.length > 0) return positions
  }
  return []
}

/**
 * Returns at most `width` characters of `text` around the densest group of terms, or its beginning if no term
 * is found, and `…` in place of missing text. Only the first 200,000 characters are searched.
 */
export function cutExcerpt(text: string, terms: readonly string[], width: number): string {
  if (text.length <= width) return text
  const head = text.slice(0, 200_000)
  const folded = foldText(head)
  const marks = terms.flatMap((term, i) => findPlaces(folded, term).map((at) => ({ at, i })))
  marks.sort((a, b) => a.at - b.at)
  let best = { at: 0, count: 0 }
  for (const [first, { at }] of marks.entries()) {
    const inside = new Set<number>()
    for (let k = first; k < marks.length; k++) {
      const mark = marks[k] as { at: number; i: number }
      if (mark.at > at + width * 0.7) break
      inside.add(mark.i)
    }
    if (inside.size > best.count) best = { at, count: inside.size }
  }
  const start = wordStart(head, Math.max(0, best.at - Math.floor(width * 0.2)))
  const end = Math.min(head.length, start + width)
  return `${start > 0 ? '…' : ''}${head.slice(start, end).trim()}${end < text.length ? '…' : ''}`
}

/** Returns an excerpt of about 200 characters at most, as `cutExcerpt` does, on one line. */
export function makeSnippet(text: string, terms: readonly string[]): string {
  return cutExcerpt(text, terms, 200).replace(/\s+/g, ' ').trim()
}

/** Returns the start of the first word that begins within 20 characters after `at`; otherwise `at`. */
function wordStart(text: string, at: number): number {
  if (at === 0) return 0
  const gap = text.slice(at, at + 20).search(/\s\S/)
  return gap < 0 ? at : at + gap + 1
}
