// Scores passages: BM25F over text, heading, symbol and path, with weights for what a file and a question
// are.

import type { WantedAnswer } from './languages/wanted-answer.ts'
import type { PassageKind } from './passage.ts'
import { type TermPlaces, weighClosest } from './rank/closeness.ts'
import { type TitleCount, titleShare } from './rank/titles.ts'
import type { ParsedQuestion } from './words.ts'

/** Fields of a passage, each with what a word in it counts and how much its length matters. */
const fields = {
  text: { weight: 1, lengthShare: 0.6, mean: 700 },
  heading: { weight: 1.8, lengthShare: 0.3, mean: 60 },
  symbol: { weight: 2.2, lengthShare: 0.3, mean: 30 },
  path: { weight: 1.2, lengthShare: 0.2, mean: 40 },
} as const

export type FieldName = keyof typeof fields
const fieldNames = Object.keys(fields) as FieldName[]

/** How fast further occurrences of a word count less. */
const saturation = 1.2

/** What was counted in a passage: a number for each term of the question, by field. */
export interface CountedPassage {
  /** Index of its file. */
  file: number
  from: number
  to: number
  kind: PassageKind
  /** What the file counts, above 0 and at most 1. */
  fileWeight: number
  lengths: Readonly<Record<FieldName, number>>
  counts: Readonly<Record<FieldName, Float32Array | undefined>>
  /** What its file is named and the titles around it, where they hold terms. */
  titles: readonly TitleCount[]
  /** Where the terms stand in its text. */
  places: TermPlaces
  /**
   * Where a yes or a no is wanted, how plainly its text states each term: 0 where it only names it, 1 where
   * it states it, more where it refuses it.
   */
  stated: Float32Array | undefined
  /** What its numbers measure, as flags: 1 any, 2 a stretch of time, 4 an amount of bytes. */
  number: number
  hasPlace: boolean
}

interface TermStatistics {
  /** Passages looked at, those without any term included. */
  passages: number
  /** In how many of them each term stands; one with synonyms alone counts half. */
  frequency: readonly number[]
}

/** Rarity of a word that `df` of `all` passages hold (BM25's form, never negative). */
export const computeRarity = (all: number, df: number): number =>
  Math.log(1 + Math.max(0, all - df + 0.5) / (df + 0.5))

/**
 * What each term weighs in this corpus: its rarity times its weight. A plain word that stands nowhere
 * counts as
 * a word of the middle: the texts may say it with another one. A name that stands nowhere keeps its whole
 * weight.
 */
export function weighTerms(question: ParsedQuestion, { passages, frequency }: TermStatistics): number[] {
  const rarity = frequency.map((df) => computeRarity(Math.max(passages, 1), df))
  const known = rarity.filter((_, i) => (frequency[i] as number) > 0)
  const middle = known.length > 0 ? known.reduce((sum, one) => sum + one, 0) / known.length : 1
  return question.terms.map((term, i) => {
    const isMissing = (frequency[i] as number) === 0
    const own = isMissing && !term.isName ? Math.min(rarity[i] as number, middle) : (rarity[i] as number)
    return term.weight * own
  })
}

/** How often the term stands in the passage, over all fields, each by its weight and length. */
function fieldFrequency({ counts, lengths }: CountedPassage, term: number): number {
  let sum = 0
  for (const name of fieldNames) {
    const count = counts[name]?.[term] ?? 0
    if (count === 0) continue
    const { weight, lengthShare, mean } = fields[name]
    sum += (weight * count) / (1 - lengthShare + lengthShare * Math.max(0.3, lengths[name] / mean))
  }
  return sum
}

/** From 0 to 1: whether the passage holds the term itself (1), a synonym alone (one half), or neither. */
export function holdsTerm({ counts }: CountedPassage, term: number): number {
  let best = 0
  for (const name of ['text', 'heading', 'symbol'] as const) best = Math.max(best, counts[name]?.[term] ?? 0)
  return Math.min(1, best)
}

/** Share of the question's weight that the passage holds, headings and names included. */
export function coveredShare(passage: CountedPassage, weights: readonly number[]): number {
  const all = weights.reduce((sum, one) => sum + one, 0)
  if (all === 0) return 0
  return weights.reduce((sum, one, i) => sum + one * holdsTerm(passage, i), 0) / all
}

/** Share of the question's weight that stands close together, under titles that may hold some of it. */
export function closeShare(
  passage: Pick<CountedPassage, 'counts' | 'places'>,
  weights: readonly number[],
): number {
  const all = weights.reduce((sum, one) => sum + one, 0)
  if (all === 0) return 0
  const known = new Map<number, number>()
  for (const name of ['heading', 'symbol'] as const) {
    const counts = passage.counts[name]
    if (!counts) continue
    for (const [term, count] of counts.entries())
      if (count > 0) known.set(term, Math.max(known.get(term) ?? 0, Math.min(1, count)))
  }
  return weighClosest(passage.places, weights, known) / all
}

/** Prose and configuration come before code, unless code is asked for. */
const kindWeight: Readonly<Record<PassageKind, number>> = { prose: 1, config: 1, code: 0.72, data: 0.6 }

function numberWeight(wanted: WantedAnswer['number'], number: number): number {
  if (wanted === undefined || number === 0) return 1
  const flag = wanted === 'duration' ? 2 : wanted === 'size' ? 4 : 1
  return (number & flag) === 0 ? 1.05 : 1.25
}

/** What names a word without stating it still comes before what lacks it. */
const leastPlain = 0.1

/** What a passage counts more whose title or file names just what is asked about. */
const titleWorth = 0.6

/** Higher is better; 0 for a passage that holds nothing of what is asked. */
export function scorePassage(
  passage: CountedPassage,
  { wants }: Pick<ParsedQuestion, 'wants'>,
  weights: readonly number[],
): number {
  let score = 0
  for (const [i, weight] of weights.entries()) {
    const often = fieldFrequency(passage, i)
    if (often === 0) continue
    const plain = Math.max(leastPlain, passage.stated?.[i] ?? 1)
    score += (weight * often * (saturation + 1) * plain) / (saturation + often)
  }
  if (score === 0) return 0
  const kind = wants.code && passage.kind === 'code' ? 1 : kindWeight[passage.kind]
  const wanted = numberWeight(wants.number, passage.number) * (wants.place && passage.hasPlace ? 1.15 : 1)
  // a passage with most of the words says more than one that repeats a single one
  const share = 0.1 + 0.3 * coveredShare(passage, weights) + 0.6 * closeShare(passage, weights)
  // next to nothing can be said in a line or two of code or a bare title
  const size = Math.min(1, 0.6 + passage.lengths.text / 250)
  // a title alone gives no number
  const isLacking = wants.number !== undefined && passage.number === 0
  const named = isLacking ? 1 : 1 + titleWorth * titleShare(passage.titles, weights)
  return score * kind * wanted * share * size * named * passage.fileWeight
}
