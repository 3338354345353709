// How much of a question the found passages hold, and which of its words no passage holds.
import { type CountedPassage, coveredShare, holdsTerm } from './weigh.ts'
import type { ParsedQuestion } from './words.ts'

export interface PassageCoverage {
  /** Share of the question's word weight that the best passages hold, from 0 to 1. */
  share: number
  /** Words of some weight that none of them holds, as they stand in the question. */
  missing: string[]
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
/** Words that stand in different places answer nothing: so much of each part has to stand in one passage. */
const minTogether = 0.6

/** What only tests, vendored or generated files say counts no more than they do. */
const weakEvidence = 0.6

/** How much of a term a passage holds; a synonym in the right surroundings is nearly as good as the word. */
function creditOf(passage: CountedPassage, term: number): number {
  const held = holdsTerm(passage, term)
  return (held >= 1 ? 1 : held > 0 ? 0.8 : 0) * passage.fileWeight
}

/** Of the part that is held worst the share that the best single passage holds, titles and names included. */
function sharedByOne(
  { terms }: Pick<ParsedQuestion, 'terms'>,
  weights: readonly number[],
  near: readonly { counted: CountedPassage }[],
): number {
  const parts = new Set(terms.map(({ part }) => part))
  const shares = [...parts].map((part) => {
    const own = weights.map((weight, i) => (terms[i]?.part === part ? weight : 0))
    const all = own.reduce((sum, one) => sum + one, 0)
    if (all === 0) return 1
    const held = near.map(({ counted }) =>
      own.reduce((sum, weight, i) => sum + (weight > 0 ? weight * creditOf(counted, i) : 0), 0),
    )
    return Math.max(0, ...held) / all
  })
  return Math.min(1, ...shares)
}

export function computeCoverage(
  question: Pick<ParsedQuestion, 'terms'>,
  weights: readonly number[],
  hits: readonly { counted: CountedPassage; path: string; heading: string; symbol: string }[],
): PassageCoverage {
  const all = weights.reduce((sum, one) => sum + one, 0)
  const near = hits.filter(({ counted }) => coveredShare(counted, weights) >= related)
  let covered = 0
  let lacksHeavyWord = false
  let absent = 0
  const missing: string[] = []
  for (const [i, term] of question.terms.entries()) {
    const weight = weights[i] as number
    const credit = Math.max(0, ...near.map(({ counted }) => creditOf(counted, i)))
    covered += weight * credit
    if (credit > 0 && credit < weakEvidence && weight / all >= heavy) lacksHeavyWord = true
    const isPart = !term.isCompound && term.weight < 0.5
    if (credit === 0 && all > 0 && weight / all >= 0.06 && !isPart) {
      missing.push(term.word)
      if (weight / all >= heavy || term.isName) lacksHeavyWord = true
      if (term.isName) absent += weight
    }
  }
  const headings = hits.map(({ heading, symbol, path }) => {
    const title = heading.split(' > ').slice(0, 3).join(' > ') || symbol.split(' ')[0] || ''
    return title === '' ? path : `${title} (${path})`
  })
  const together = sharedByOne(question, weights, near)
  const share = all === 0 ? 0 : Math.round((covered / all) * 1000) / 1000
  // what is asked about stands nowhere: words beside it answer nothing
  const isNothing = share < minPartial || absent > all / 2
  return {
    share,
    missing,
    verdict: isNothing
      ? 'nothing'
      : share < minFound || lacksHeavyWord || together < minTogether
        ? 'partial'
        : 'found',
    headings: [...new Set(headings)].slice(0, 3),
  }
}
