// Scores of passages by BM25F, a ranking formula that counts words in several fields: text, heading, symbol
// and path. The kinds of file and question change the weights.
import type { WantedAnswer } from './languages/wanted-answer.ts'
import type { PassageKind } from './passage.ts'
import { type TitleCount, titleShare } from './rank/titles.ts'
import type { ParsedQuestion } from './words.ts'

/**
 * Fields of a passage: the weight of a word in the field, how much a long field lowers the score
 * (`lengthShare`), and a typical length in characters (`mean`).
 */
const fields = {
  text: { weight: 1, lengthShare: 0.6, mean: 700 },
  heading: { weight: 1.8, lengthShare: 0.3, mean: 60 },
  symbol: { weight: 2.2, lengthShare: 0.3, mean: 30 },
  path: { weight: 1.2, lengthShare: 0.2, mean: 40 },
} as const

export type FieldName = keyof typeof fields
const fieldNames = Object.keys(fields) as FieldName[]

/**
 * How much repetitions of a word raise the score (`k1` of BM25F). With a lower number, repetitions add less.
 */
const saturation = 1.2

/** A passage with the number of occurrences of each term of the question, by field. */
export interface CountedPassage {
  /** Index of the file that contains the passage. */
  file: number
  from: number
  to: number
  kind: PassageKind
  /** Weight of the file and of the kind of the passage's content, above 0 and at most 1. */
  fileWeight: number
  lengths: Readonly<Record<FieldName, number>>
  counts: Readonly<Record<FieldName, Float32Array | undefined>>
  /** The file's name, the titles around the passage and the names in code, if they contain terms. */
  titles: readonly TitleCount[]
  /** Places of the terms in the text of the passage. */
  places: TermPlaces
  /**
   * How plainly the text states each term: 1 in plain text, 0.5 in a URL, 1.5 if the text says that the named
   * thing is not supported. 0 if the text is a test that expects a refusal. Undefined unless the question
   * wants a yes or a no and the text has a term.
   */
  stated: Float32Array | undefined
  /**
   * What the numbers of the passage measure, as flags: 1 any, 2 a duration, 4 a number of bytes. 0 if the
   * question wants no number.
   */
  number: number
  /** True if the question wants a position and the passage names one. */
  hasPlace: boolean
}

interface TermStatistics {
  /** Estimated number of passages in all files, including those that contain none of the terms. */
  passages: number
  /**
   * Number of passages with each term, by the index of the term. A passage with only synonyms counts
   * as in `holdsTerm`.
   */
  frequency: readonly number[]
}

/** Returns the rarity of a word that occurs in `df` of `all` passages (BM25's form, never negative). */
export const computeRarity = (all: number, df: number): number =>
  Math.log(1 + Math.max(0, all - df + 0.5) / (df + 0.5))

/**
 * Returns the weight of each term in these files: its rarity times its weight in the question. A plain word
 * without matches gets at most the average rarity of the found words, because texts may use another word for
 * it. A name without matches keeps its full weight.
 */
export function weighTerms(question: ParsedQuestion, { passages, frequency }: TermStatistics): number[] {
  const rarity = frequency.map((df) => computeRarity(Math.max(passages, 1), df))
  const values = rarity.filter((_, i) => (frequency[i] as number) > 0)
  const middle = values.length > 0 ? values.reduce((sum, one) => sum + one, 0) / values.length : 1
  return question.terms.map((term, i) => {
    const isMissing = (frequency[i] as number) === 0
    const factor = isMissing && !term.isName ? Math.min(rarity[i] as number, middle) : (rarity[i] as number)
    return term.weight * factor
  })
}

/**
 * Returns the weighted number of occurrences of the term in the passage. Each field has its weight, and an
 * occurrence in a long field counts less.
 */
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

/**
 * Returns the number of occurrences of the term in the text, the heading or the symbols of the passage: the
 * largest of the three, at most 1. A synonym counts 0.4, and a name inside a longer name 0.8.
 */
export function holdsTerm({ counts }: CountedPassage, term: number): number {
  const { text, heading, symbol } = counts
  return Math.min(1, Math.max(text?.[term] ?? 0, heading?.[term] ?? 0, symbol?.[term] ?? 0))
}

/**
 * Returns the share of the total weight of the question's words that the passage contains, including its
 * headings and names.
 */
export function coveredShare(passage: CountedPassage, weights: readonly number[]): number {
  let all = 0
  let covered = 0
  for (const [i, one] of weights.entries()) {
    all += one
    covered += one * holdsTerm(passage, i)
  }
  return all === 0 ? 0 : covered / all
}

/**
 * Returns the share of the total weight of the question's words that occur close together in the passage. A
 * word in a title of the passage counts as close to every other word.
 */
export function closeShare(
  passage: Pick<CountedPassage, 'counts' | 'places'>,
  weights: readonly number[],
): number {
  const all = weights.reduce((sum, one) => sum + one, 0)
  if (all === 0) return 0
  const titleWeights = new Map<number, number>()
  for (const name of ['heading', 'symbol'] as const) {
    const counts = passage.counts[name]
    if (!counts) continue
    for (const [term, count] of counts.entries())
      if (count > 0) titleWeights.set(term, Math.max(titleWeights.get(term) ?? 0, Math.min(1, count)))
  }
  return weighClosest(passage.places, weights, titleWeights) / all
}

/**
 * Weight of a passage by the kind of its file. Prose and configuration rank before code, unless the question
 * asks for code.
 */
const kindWeight: Readonly<Record<PassageKind, number>> = { prose: 1, config: 1, code: 0.72, data: 0.6 }

function numberWeight(numberKind: WantedAnswer['number'], number: number): number {
  if (numberKind === undefined || number === 0) return 1
  const flag = numberKind === 'duration' ? 2 : numberKind === 'size' ? 4 : 1
  return (number & flag) === 0 ? 1.05 : 1.25
}

/**
 * Smallest factor for a word that the text contains but does not plainly state, for example in a test that
 * expects a refusal. The word still counts more than a missing one.
 */
const leastPlain = 0.1

/**
 * Largest share by which the score rises if the passage has a title, definition or file name that is the
 * subject of the question.
 */
const titleWorth = 0.6

/**
 * Factor for the score of a definition whose name is in the question, if the question asks where something
 * is. Such a definition need not contain the other words of the question.
 */
const definitionWorth = 4

/** Returns true if the passage is code and defines a name of the question. */
const definesName = ({ kind, counts }: CountedPassage, { terms = [] }: Partial<ParsedQuestion>): boolean =>
  kind === 'code' && terms.some(({ isName }, i) => isName && (counts.symbol?.[i] ?? 0) >= 1)

/** Returns the score of a passage; higher is better, and 0 means that it contains no word of the question. */
export function scorePassage(
  passage: CountedPassage,
  question: Pick<ParsedQuestion, 'wants'> & Partial<Pick<ParsedQuestion, 'terms'>>,
  weights: readonly number[],
): number {
  const { wants } = question
  let score = 0
  for (const [i, weight] of weights.entries()) {
    const often = fieldFrequency(passage, i)
    if (often === 0) continue
    const plain = Math.max(leastPlain, passage.stated?.[i] ?? 1)
    score += (weight * often * (saturation + 1) * plain) / (saturation + often)
  }
  if (score === 0) return 0
  const isDefined = wants.place && definesName(passage, question)
  const kind = (wants.code || isDefined) && passage.kind === 'code' ? 1 : kindWeight[passage.kind]
  const match = numberWeight(wants.number, passage.number) * (wants.place && passage.hasPlace ? 1.15 : 1)
  // A passage that contains most of the words is worth more than one that repeats a single word.
  const share = isDefined
    ? 1
    : 0.1 + 0.3 * coveredShare(passage, weights) + 0.6 * closeShare(passage, weights)
  // One or two lines of code, or only a title, contain little information.
  const size = Math.min(1, 0.6 + passage.lengths.text / 250)
  // True if the question wants a number and the passage has no number. Then the title gives no bonus.
  const isLacking = wants.number !== undefined && passage.number === 0
  const named = isLacking ? 1 : 1 + titleWorth * titleShare(passage.titles, weights)
  const defined = isDefined ? definitionWorth : 1
  return score * kind * match * share * size * named * defined * passage.fileWeight
}

/**
 * Size of a window in characters. Words within one window are about the same subject, as in two sentences or
 * a few lines of a program.
 */
const windowChars = 240

/**
 * Largest number of places that are stored per passage. Further places are dropped, so words there do not
 * count as close together.
 */
const maxPlaces = 160

/**
 * Places of terms in a passage, as pairs of numbers: the position in characters (at most 65,535), and twice
 * the index of the term, plus 1 for a synonym.
 */
export type TermPlaces = Uint16Array

/**
 * Returns a list for the places of one passage. They have to be added in the order of the text. Above the
 * limit, further places are dropped.
 */
export function createPlaceList() {
  const list: number[] = []
  return {
    add(at: number, term: number, weight: number): void {
      if (list.length < 2 * maxPlaces) list.push(Math.min(at, 0xffff), 2 * term + (weight < 1 ? 1 : 0))
    },
    close: (): TermPlaces => Uint16Array.from(list),
  }
}

/** Weight of a synonym relative to the word itself, unless the caller sets another one. */
const synonymShare = 0.5

/**
 * Returns the highest total weight of the terms within one window of the passage. `titleWeights` contains the
 * weights of terms in titles, which count in every window.
 */
export function weighClosest(
  places: TermPlaces,
  weights: readonly number[],
  titleWeights: ReadonlyMap<number, number>,
  synonymWorth: number = synonymShare,
): number {
  // For each code (twice the index of the term, plus 1 for a synonym) the number of places in the current
  // window. Moving the window changes only these numbers.
  const inside = new Uint16Array(2 * weights.length)
  const weighWindow = () => {
    let sum = 0
    for (let term = 0; term < weights.length; term++) {
      const windowWeight = inside[2 * term] ? 1 : inside[2 * term + 1] ? synonymWorth : 0
      sum += (weights[term] as number) * Math.max(windowWeight, titleWeights.get(term) ?? 0)
    }
    return sum
  }
  let best = weighWindow()
  let first = 0
  for (let last = 0; last < places.length; last += 2) {
    const from = (places[last] as number) - windowChars
    for (; (places[first] as number) < from; first += 2) {
      const oldCode = places[first + 1] as number
      inside[oldCode] = (inside[oldCode] as number) - 1
    }
    const code = places[last + 1] as number
    const before = inside[code] ?? 0
    inside[code] = before + 1
    // only a word that was not in the window yet can make it heavier
    if (before === 0) best = Math.max(best, weighWindow())
  }
  return best
}

/**
 * Share of its weight that a word has in the choice of lines if the path or the heading of the passage has it
 * too. Such a word is about all lines of the passage and distinguishes none.
 */
const commonShare = 0.5

/**
 * Returns the weights of the terms for the choice of lines of a passage: `commonShare` of the weight for a
 * term in the path or the heading, otherwise the whole weight.
 */
export function weighForLines(
  weights: readonly number[],
  counts: CountedPassage['counts'] | undefined,
): readonly number[] {
  const isCommon = (term: number) =>
    [counts?.path, counts?.heading].some((field) => (field?.[term] ?? 0) >= 1)
  return weights.map((weight, term) => (isCommon(term) ? commonShare * weight : weight))
}
