// What a passage is worth to a question of several parts: as much as to the part that it is about.
import { type CountedPassage, closeShare, scorePassage } from '../weigh.ts'
import type { ParsedQuestion } from '../words.ts'

/** What words of the other parts count: what speaks of one part alone answers it no worse. */
const otherParts = 0.35

/**
 * The weights of the terms as each part sees them, as much in all for each part; one of small words alone
 * sees them as they are.
 */
export function weighByPart(
  { terms, parts }: Pick<ParsedQuestion, 'terms' | 'parts'>,
  weights: readonly number[],
): (readonly number[])[] {
  if (parts.length < 2) return [weights]
  const all = weights.reduce((sum, one) => sum + one, 0)
  const telling = new Set(listTellingParts({ terms }, weights).map(({ part }) => part))
  return [...parts.keys()].map((part) => {
    if (!telling.has(part)) return weights
    const own = weights.map((weight, i) => (terms[i]?.part === part ? weight : weight * otherParts))
    const sum = own.reduce((total, one) => total + one, 0)
    return own.map((weight) => (sum === 0 ? 0 : (weight * all) / sum))
  })
}

/** Higher is better; `byPart` comes from `weighByPart`. */
export function scoreBestPart(
  passage: CountedPassage,
  question: Pick<ParsedQuestion, 'wants'>,
  byPart: readonly (readonly number[])[],
): number {
  let best = 0
  for (const weights of byPart) best = Math.max(best, scorePassage(passage, question, weights))
  return best
}

/** A part of a question with the weights of its own words, those of all others being 0. */
export interface WeighedPart {
  /** Its index. */
  part: number
  weights: readonly number[]
}

/** Words that say less than this stand in every question: a part of nothing else asks on about another. */
const tellingWeight = 0.5

/** Words that stand in different places answer nothing: so much of a part has to stand close together. */
export const minTogether = 0.6

/**
 * The parts that have telling words of their own; a question of small words alone is one part. Words that
 * stand in an earlier part as well belong to both.
 */
export function listTellingParts(
  { terms }: Pick<ParsedQuestion, 'terms'>,
  weights: readonly number[],
): WeighedPart[] {
  const telling = terms.filter(({ weight }) => weight >= tellingWeight)
  const parts = new Set((telling.length > 0 ? telling : terms).map(({ part }) => part))
  return [...parts].map((part) => ({
    part,
    weights: weights.map((weight, i) => {
      const term = terms[i]
      return term?.part === part || term?.also.includes(part) ? weight : 0
    }),
  }))
}

/**
 * Whether so much of the part stands close together in the passage that it may answer it; tests and change
 * logs do not.
 */
export const isAboutPart = (
  passage: Pick<CountedPassage, 'counts' | 'places' | 'fileWeight'>,
  { weights }: WeighedPart,
): boolean => closeShare(passage, weights) * passage.fileWeight >= minTogether
