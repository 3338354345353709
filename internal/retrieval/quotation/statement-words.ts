// Decision whether a single statement of a quote has the words of a part of a question. Words from several
// statements, such as the items of a list, say nothing together.
import type { TermPlace } from '../term-scanner.ts'
import type { TextSpan } from './statement-lines.ts'
import type { ValueStatement } from './value-statement.ts'

/**
 * Part of a word that counts as missing if the statement has only a synonym. It also applies if only the
 * signature of the surrounding function has the word.
 */
const halfLack = 0.5

/**
 * Number of words of a part of a question from which on `missingShare` of them may be missing in a statement.
 * Of fewer words, nearly all are needed.
 */
const manyWords = 5
const missingShare = 0.4

/**
 * Returns how many words of a part may be missing in a statement that answers it, by weight. A short part
 * needs nearly all words: "flags marked as hidden" does not answer how flags are marked as required.
 */
const allowedLack = (words: number): number =>
  words < manyWords ? Math.max(halfLack, (words - 2) / 2) : missingShare * words

interface WordsOfPart {
  /** Indices of the part's telling terms, which are words that are not common in questions. */
  terms: readonly number[]
  /** Weight of a term in the question, from 0 to 1. How rare the term is in the files has no effect on it. */
  weightOf: (term: number) => number
}

/**
 * Returns true if a statement has most terms of the part. `heldWeights` maps the index of each term that it
 * has to a weight: 1 for the word itself, less for a synonym.
 */
export function hasMostWords(
  heldWeights: ReadonlyMap<number, number>,
  { terms, weightOf }: WordsOfPart,
): boolean {
  let words = 0
  let lack = 0
  for (const term of terms) {
    const weight = Math.min(1, weightOf(term))
    const termShare = heldWeights.get(term) ?? 0
    words += weight
    lack += weight * (termShare >= 1 ? 0 : termShare > 0 ? halfLack : 1)
  }
  return lack <= allowedLack(words)
}

/**
 * Share of the weight from which a word is the subject of the part. A synonym does not replace it, because
 * the other words of the part occur in most passages and prove little.
 */
const subjectShare = 0.5

interface StatedInput extends WordsOfPart {
  places: readonly TermPlace[]
  /**
   * Weights, from 0 to 1, of terms that count for every statement, by the index of the term. They are the
   * terms in the passage's headings, the names in its path and, for some parts, the names that it defines.
   */
  titles: ReadonlyMap<number, number>
  weights: readonly number[]
  isName: (term: number) => boolean
  /** Smallest share of the weights that the statement needs. */
  share: number
  /** Weight of a synonym relative to the word itself. */
  synonymWorth: number
  statementAt: (at: number) => ValueStatement
}

/** Share of the weight of a part below which a word is in nearly all passages, so that it proves nothing. */
const provingShare = 0.1

/**
 * Returns whether a term of the part counts in titles and introductions too. If only one word of the part
 * proves anything, and it is not a name, the others count in the statement itself only, because their title
 * is above most passages.
 */
function readTitleTerms({ terms, weights, isName }: StatedInput, all: number): (term: number) => boolean {
  const proving = terms.filter((term) => (weights[term] ?? 0) >= provingShare * all)
  const isProven = proving.length > 1 || proving.some(isName)
  return (term) => isProven || proving.includes(term)
}

/** Returns true if one statement, with the text that it refers to, has enough of the words of the part. */
export function isStated(input: StatedInput): boolean {
  const { places, titles, weights, synonymWorth, statementAt } = input
  const all = input.terms.reduce((sum, term) => sum + (weights[term] ?? 0), 0)
  const isTitleTerm = readTitleTerms(input, all)
  const statementStarts = new Set<number>()
  for (const { at, term } of places) {
    if (!input.terms.includes(term)) continue
    const { own: ownSpan, lead, outer, functions } = statementAt(at)
    if (statementStarts.has(ownSpan.from)) continue
    statementStarts.add(ownSpan.from)
    const heldWeights = new Map([...titles].filter(([one]) => isTitleTerm(one)))
    const hold = (spans: readonly TextSpan[], worth: number, isHeld = (_: number) => true) => {
      for (const place of places) {
        if (!isHeld(place.term) || !spans.some(({ from, to }) => from <= place.at && place.at < to)) continue
        const share = worth * (place.weight >= 1 ? 1 : synonymWorth)
        heldWeights.set(place.term, Math.max(heldWeights.get(place.term) ?? 0, share))
      }
    }
    hold([ownSpan, ...lead], 1)
    hold(outer, 1, isTitleTerm)
    hold(functions, synonymWorth)
    const stated = input.terms.reduce(
      (sum, one) => sum + (heldWeights.get(one) ?? 0) * (weights[one] ?? 0),
      0,
    )
    if (
      stated >= input.share * all &&
      hasMostWords(heldWeights, input) &&
      namesSubject(heldWeights, input, all)
    )
      return true
  }
  return false
}

/**
 * Returns true if the statement has the subject of the part as the word itself. A part without a subject does
 * not need one.
 */
const namesSubject = (
  heldWeights: ReadonlyMap<number, number>,
  { terms, weights }: Pick<StatedInput, 'terms' | 'weights'>,
  all: number,
): boolean =>
  terms.every((term) => (weights[term] ?? 0) < subjectShare * all || (heldWeights.get(term) ?? 0) >= 1)
