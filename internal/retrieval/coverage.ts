// Coverage of a question by the passages: how much of it they contain, and which of its words
// no passage contains.
import { weakEvidence } from './file-kind.ts'
import { listTellingParts, minTogether } from './rank/parts.ts'
import { type CountedPassage, closeShare, coveredShare, holdsTerm } from './weigh.ts'
import type { ParsedQuestion } from './words.ts'

export interface PassageCoverage {
  /** Share of the question's word weight in the best passages, from 0 to 1. */
  share: number
  /**
   * Words of the question, as written there, that occur in none of the best passages. Words with less than 6
   * % of the question's weight are not listed. Empty if the final verdict is `found`.
   */
  missing: string[]
  /**
   * Words that occur only in URLs, test data and refusals in tests, which state nothing. Empty for questions
   * that do not want a yes or a no.
   */
  mentioned: string[]
  /**
   * Parts of the question that no single quote answers. A phrase such as "turn off" appears in them
   * as one word.
   */
  open?: string[]
  /** Why no quote answers each of the `open` parts, as lines for users. */
  gaps?: string[]
  /**
   * `found` if single quotes answer all parts, texts plainly answer each yes-or-no part, and the files
   * contain the nouns that are asked for. `nothing` if the passages cover little of the question or lack its
   * subject; else `partial`.
   */
  verdict: 'found' | 'partial' | 'nothing'
  /**
   * Titles of the best passages, at most three, each with the path of its file. The path alone for a passage
   * without a title.
   */
  headings: string[]
}

/**
 * Smallest share of the question's words, by weight, that a passage needs. Words in a passage with a smaller
 * share do not count, unless the passage answers a part of the question.
 */
const related = 0.3
/**
 * Smallest share of the question's total weight from which a word counts as heavy. If the passages do not
 * cover a heavy word, the verdict cannot be `found`.
 */
const heavy = 0.22

const minFound = 0.6
const minPartial = 0.35
/**
 * Limit for words of yes-or-no questions: a covered share (see `creditOf`) up to this value counts as 0.
 * Words in tests, test data and URLs have at most this share, because they prove nothing.
 */
const mentionedCredit = 0.5

/**
 * Returns how well a passage covers a term (the index of a word of the question), from 0 to 1. One or two
 * synonyms count 0.8, three or more like the word. The value is lower in files with little weight, and if the
 * term is not stated clearly.
 */
function creditOf(passage: CountedPassage, term: number): number {
  const presence = holdsTerm(passage, term)
  return (presence >= 1 ? 1 : presence > 0 ? 0.8 : 0) * statedShare(passage, term) * passage.fileWeight
}

/**
 * Returns how clearly a passage states the term: 0.5 in a URL, 0 if a test only refuses it, else 1. A term in
 * a title or in the name of a definition counts 1.
 */
function statedShare({ stated, counts }: CountedPassage, term: number): number {
  const isNamed = (counts.heading?.[term] ?? 0) > 0 || (counts.symbol?.[term] ?? 0) > 0
  return isNamed ? 1 : Math.min(1, stated?.[term] ?? 1)
}

/**
 * Returns the covered share of that part of the question that is covered worst. Words count if they are close
 * together in one passage, including its titles.
 */
function sharedByOne(
  byPart: readonly (readonly number[])[],
  near: readonly { counted: CountedPassage }[],
): number {
  const shares = byPart.map((partWeights) => {
    if (partWeights.every((weight) => weight === 0)) return 1
    return Math.max(0, ...near.map(({ counted }) => closeShare(counted, partWeights) * counted.fileWeight))
  })
  return Math.min(1, ...shares)
}

/**
 * Returns true if the term occurs in passages, but counts in none of them. An example is a test that checks
 * that the thing is refused.
 */
const isNamedOnly = (hits: readonly { counted: CountedPassage }[], term: number): boolean =>
  hits.some(({ counted }) => holdsTerm(counted, term) > 0) &&
  hits.every(({ counted }) => holdsTerm(counted, term) === 0 || creditOf(counted, term) === 0)

/**
 * Returns true if only one passage states the term, and this passage is code without the term in its heading
 * or name. A feature that exists is mentioned in more passages.
 */
function isLoneMention(hits: readonly { counted: CountedPassage }[], term: number): boolean {
  const stating = hits.filter(({ counted }) => creditOf(counted, term) >= weakEvidence)
  const [only] = stating
  if (!only || stating.length > 1 || only.counted.kind !== 'code') return false
  return !only.counted.counts.heading?.[term] && !only.counted.counts.symbol?.[term]
}

export function computeCoverage(
  question: Pick<ParsedQuestion, 'terms' | 'yesNo'>,
  weights: readonly number[],
  hits: readonly { counted: CountedPassage; path: string; heading: string; symbol: string }[],
): PassageCoverage {
  const all = weights.reduce((sum, one) => sum + one, 0)
  const byPart = listTellingParts(question, weights).map((one) => one.weights)
  const near = hits.filter(
    ({ counted }) =>
      coveredShare(counted, weights) >= related ||
      // A part counts as answered if one passage answers it, even if the part has little weight.
      byPart.some((partWeights) => closeShare(counted, partWeights) >= minTogether),
  )
  let covered = 0
  let lacksHeavyWord = false
  let absent = 0
  const missing: string[] = []
  const mentioned: string[] = []
  for (const [i, term] of question.terms.entries()) {
    const weight = weights[i] as number
    const best = Math.max(0, ...near.map(({ counted }) => creditOf(counted, i)))
    const isYesNo = question.yesNo.has(term.part)
    const credit = isYesNo && best <= mentionedCredit ? 0 : best
    covered += weight * credit
    if (credit > 0 && credit < weakEvidence && weight / all >= heavy) lacksHeavyWord = true
    if (isYesNo && term.weight >= 1 && weight / all >= heavy && isLoneMention(hits, i)) lacksHeavyWord = true
    const isPart = !term.isCompound && term.weight < 0.5
    if (credit === 0 && all > 0 && weight / all >= 0.06 && !isPart) {
      // The word occurs in passages, but only in places that prove nothing, such as URLs and refusals in
      // tests. So it counts as mentioned and not as missing.
      const isMentioned = best > 0 || isNamedOnly(hits, i)
      if (isMentioned) mentioned.push(term.word)
      else if (hits.every(({ counted }) => creditOf(counted, i) === 0)) missing.push(term.word)
      if (weight / all >= heavy || term.isName) lacksHeavyWord = true
      if (term.isName || isMentioned) absent += weight
    }
  }
  const headings = hits.map(({ heading, symbol, path }) => {
    const title = heading.split(' > ').slice(0, 3).join(' > ') || symbol.split(' ')[0] || ''
    return title === '' ? path : `${title} (${path})`
  })
  const together = sharedByOne(byPart, near)
  const share = all === 0 ? 0 : Math.round((covered / all) * 1000) / 1000
  // Names and words that no passage states are the subject of the question if they have more than half of its
  // weight. Without its subject, the other words cannot answer the question.
  const isNothing = share < minPartial || absent > all / 2
  return {
    share,
    missing,
    mentioned,
    verdict: isNothing
      ? 'nothing'
      : share < minFound || lacksHeavyWord || together < minTogether
        ? 'partial'
        : 'found',
    headings: [...new Set(headings)].slice(0, 3),
  }
}
