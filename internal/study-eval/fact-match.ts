// Whether a text states a fact that is known.
import { foldSpace } from '../study/verify/quotation.ts'
import type { KnownAnswers } from './suite.ts'

export type KnownFact = KnownAnswers['facts'][number]

/** A quotation of less than this is no statement. */
const shortest = 12

/** One holds the other: a quotation may be a part of a passage, or reach beyond it. */
export function overlapsPassage(quote: string, text: string): boolean {
  const a = foldSpace(quote)
  const b = foldSpace(text)
  return a.length >= shortest && (a.includes(b) || b.includes(a))
}

/**
 * A quotation from the file `path` states the fact when it holds one of its passages, or when it is from a
 * file that states it and holds one of its other wordings or all of its key figures.
 */
export function quotationStates(quote: string, path: string | undefined, fact: KnownFact): boolean {
  if (fact.stated.some(({ text }) => overlapsPassage(quote, text))) return true
  return fact.stated.some((one) => one.path === path) && holdsWording(quote, fact)
}

/** Prose has no file of its own: the words of a passage count, other wordings, and figures. */
export function proseStates(prose: string, fact: KnownFact): boolean {
  const folded = foldSpace(prose)
  return fact.stated.some(({ text }) => folded.includes(foldSpace(text))) || holdsWording(prose, fact)
}

function holdsWording(text: string, { alternatives = [], figures = [] }: KnownFact): boolean {
  const folded = foldSpace(text).toLowerCase()
  if (alternatives.some((wording) => folded.includes(foldSpace(wording).toLowerCase()))) return true
  return figures.length > 0 && figures.every((figure) => holdsFigure(folded, figure.toLowerCase()))
}

/** As a whole word: `5` is not in `50`, in `2.5` or in `5xx`. */
function holdsFigure(text: string, figure: string): boolean {
  for (let at = text.indexOf(figure); at >= 0; at = text.indexOf(figure, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at)
    const after = text.slice(at + figure.length, at + figure.length + 2)
    const isWhole = !/[\p{L}\p{N}_]$|\p{N}[.,]$/u.test(before) && !/^[\p{L}\p{N}_]|^[.,]\p{N}/u.test(after)
    if (isWhole) return true
  }
  return false
}
