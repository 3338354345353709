// Score of a passage for a question with several parts. It is the score for the part that the
// passage fits best.
import { type CountedPassage, closeShare, scorePassage } from '../weigh.ts'
import type { ParsedQuestion } from '../words.ts'

/**
 * Factor for the weights of words that belong to other parts. It is low, so that a passage that fits only one
 * part still gets a high score.
 */
const otherParts = 0.35

/**
 * Returns the weights of the terms for each part; their sum is the same for every part. A part without
 * content words gets the original weights.
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
    const partWeights = weights.map((weight, i) => (terms[i]?.part === part ? weight : weight * otherParts))
    const sum = partWeights.reduce((total, one) => total + one, 0)
    return partWeights.map((weight) => (sum === 0 ? 0 : (weight * all) / sum))
  })
}

/** Returns the score of the best part; higher is better. `byPart` comes from `weighByPart`. */
export function scoreBestPart(
  passage: CountedPassage,
  question: Pick<ParsedQuestion, 'wants'> & Partial<Pick<ParsedQuestion, 'terms'>>,
  byPart: readonly (readonly number[])[],
): number {
  let best = 0
  for (const weights of byPart) best = Math.max(best, scorePassage(passage, question, weights))
  return best
}

/** A part of a question with the weights of its words. The weights of all other words are 0. */
export interface WeighedPart {
  /** Index of the part. */
  part: number
  weights: readonly number[]
}

/**
 * Smallest weight of a content word. Lighter words are common in questions. A part that has only lighter
 * words is not treated as a separate part.
 */
export const tellingWeight = 0.5

/** Smallest share of a part that has to occur close together, because words far apart answer nothing. */
export const minTogether = 0.6

/**
 * Returns the parts with content words. If no word of the question is a content word, returns all parts with
 * words. A word that also occurs in an earlier part belongs to both.
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
 * Returns true if so much of the part occurs close together that the passage may answer it. Passages of files
 * with little weight, such as tests and change logs, never do.
 */
export const isAboutPart = (
  passage: Pick<CountedPassage, 'counts' | 'places' | 'fileWeight'>,
  { weights }: WeighedPart,
): boolean => closeShare(passage, weights) * passage.fileWeight >= minTogether
