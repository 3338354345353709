// Parts of a question with their telling words, which are rare in questions, and the kind of value that each
// part asks for.
import { listTellingParts, tellingWeight } from '../rank/parts.ts'
import type { ParsedQuestion } from '../words.ts'
import { type AskedKind, readAskedKind } from './asked-kind.ts'

/**
 * A part of a question with its telling words, as indices of terms. Telling words are those that are not
 * common in questions.
 */
export interface AskedPart {
  part: number
  text: string
  kind: AskedKind | undefined
  terms: readonly number[]
  weights: readonly number[]
}

/**
 * Returns the parts of the question with their telling words. A part without such words gets all
 * of its words.
 */
export function listAskedParts(question: ParsedQuestion, weights: readonly number[]): AskedPart[] {
  return listTellingParts(question, weights).map(({ part, weights: own }) => {
    const all = [...own.keys()].filter((term) => (own[term] as number) > 0)
    const telling = all.filter((term) => (question.terms[term]?.weight ?? 0) >= tellingWeight)
    const terms = telling.length > 0 ? telling : all
    const text = question.parts[part] ?? ''
    return {
      part,
      text,
      kind: readAskedKind(text),
      terms,
      weights: own.map((weight, term) => (terms.includes(term) ? weight : 0)),
    }
  })
}

/** Returns the weight of a term; 0 in scripts without spaces, where the terms are pieces of words. */
export const countedWeight = ({ terms }: ParsedQuestion, term: number): number =>
  terms[term]?.script === 'unspaced' ? 0 : (terms[term]?.weight ?? 0)
