// How much of a question the found passages hold, and which of its words no passage holds.
import { weakEvidence } from './file-kind.ts'
import { listTellingParts, minTogether } from './rank/parts.ts'
import { type CountedPassage, closeShare, coveredShare, holdsTerm } from './weigh.ts'
import type { ParsedQuestion } from './words.ts'

export interface PassageCoverage {
  /** Share of the question's word weight that the best passages hold, from 0 to 1. */
  share: number
  /** Words of some weight that none of them holds, as they stand in the question. */
  missing: string[]
  /** Words that only addresses, test data and refusals in tests hold, where a yes or a no is wanted. */
  mentioned: string[]
  /** No quotation gives the number that is asked for. */
  lacksNumber?: true
  /** Parts of the question that no quotation is about, as they stand in it. */
  open?: string[]
  /** `found` when enough is held and no heavy word is missing, `nothing` when next to nothing is. */
  verdict: 'found' | 'partial' | 'nothing'
  /** Titles of the three nearest sections. */
  headings: string[]
}

/** A passage that holds less than this share of the question says nothing about the rest of it. */
const related = 0.3
/** Share of the whole weight from which a word is heavy. */
const heavy = 0.22

const minFound = 0.6
const minPartial = 0.35
/** Where a yes or a no is wanted: tests, data and addresses that hold a word do not say that it is so. */
const mentionedCredit = 0.5

/** How much of a term a passage holds; a synonym in the right surroundings is nearly as good as the word. */
function creditOf(passage: CountedPassage, term: number): number {
  const held = holdsTerm(passage, term)
  return (held >= 1 ? 1 : held > 0 ? 0.8 : 0) * statedShare(passage, term) * passage.fileWeight
}

/** A title or a name states what it holds. */
function statedShare({ stated, counts }: CountedPassage, term: number): number {
  const isNamed = (counts.heading?.[term] ?? 0) > 0 || (counts.symbol?.[term] ?? 0) > 0
  return isNamed ? 1 : Math.min(1, stated?.[term] ?? 1)
}

/** Of the part that is held worst the share that stands close together in one passage, below its titles. */
function sharedByOne(
  byPart: readonly (readonly number[])[],
  near: readonly { counted: CountedPassage }[],
): number {
  const shares = byPart.map((own) => {
    if (own.every((weight) => weight === 0)) return 1
    return Math.max(0, ...near.map(({ counted }) => closeShare(counted, own) * counted.fileWeight))
  })
  return Math.min(1, ...shares)
}

/** Whether passages hold the term and none of them states it. */
const isNamedOnly = (hits: readonly { counted: CountedPassage }[], term: number): boolean =>
  hits.some(({ counted }) => holdsTerm(counted, term) > 0) &&
  hits.every(({ counted }) => holdsTerm(counted, term) === 0 || creditOf(counted, term) === 0)

/** Whether one place of a program alone states the term, and nothing is named by it: a feature has more. */
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
      // a part that one passage answers is answered, however little that is of the whole
      byPart.some((own) => closeShare(counted, own) >= minTogether),
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
      // one that stands elsewhere is not missing, it only says nothing about the question there
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
  // what is asked about stands nowhere: words beside it answer nothing
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
