// Check whether a text states a fact that a suite lists as an answer to its question.
import { foldSpace } from '../study/verify/quotation.ts'
import type { KnownAnswers } from './suite.ts'

export type KnownFact = KnownAnswers['facts'][number]

/**
 * Smallest length, in characters, of a quote that is compared with a passage. A shorter quote never counts.
 */
const shortest = 12

/**
 * Returns true if one of the two texts contains the other, because a quote may be a part of a passage or
 * longer than the passage. A quote of fewer than `shortest` characters never counts.
 */
export function overlapsPassage(quote: string, text: string): boolean {
  const a = foldSpace(quote)
  const b = foldSpace(text)
  return a.length >= shortest && (a.includes(b) || b.includes(a))
}

/**
 * Returns true if a quote from the file `path` states the fact: it contains a passage with the fact, or is a
 * part of one. In a file that states the fact, another wording or all key figures are enough.
 */
export function quotationStates(quote: string, path: string | undefined, fact: KnownFact): boolean {
  if (fact.stated.some(({ text }) => overlapsPassage(quote, text))) return true
  return fact.stated.some((one) => one.path === path) && holdsWording(quote, fact)
}

/**
 * Returns true if prose states the fact. Because prose comes from no file, any of its passages, other
 * wordings or figures count.
 */
export function proseStates(prose: string, fact: KnownFact): boolean {
  const folded = foldSpace(prose)
  return fact.stated.some(({ text }) => folded.includes(foldSpace(text))) || holdsWording(prose, fact)
}

function holdsWording(text: string, { alternatives = [], figures = [] }: KnownFact): boolean {
  const folded = foldSpace(text).toLowerCase()
  if (alternatives.some((wording) => folded.includes(foldSpace(wording).toLowerCase()))) return true
  return figures.length > 0 && figures.every((figure) => holdsFigure(folded, figure.toLowerCase()))
}

/** Returns whether the text has the figure as a whole word: `5` is not in `50`, `2.5` or `5xx`. */
function holdsFigure(text: string, figure: string): boolean {
  for (let at = text.indexOf(figure); at >= 0; at = text.indexOf(figure, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at)
    const after = text.slice(at + figure.length, at + figure.length + 2)
    const isWhole = !/[\p{L}\p{N}_]$|\p{N}[.,]$/u.test(before) && !/^[\p{L}\p{N}_]|^[.,]\p{N}/u.test(after)
    if (isWhole) return true
  }
  return false
}
