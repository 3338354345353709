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

export function computeCoverage(
  question: Pick<ParsedQuestion, 'terms'>,
  weights: readonly number[],
  hits: readonly { counted: CountedPassage; path: string; heading: string; symbol: string }[],
): PassageCoverage {
  const all = weights.reduce((sum, one) => sum + one, 0)
  const near = hits.filter(({ counted }) => coveredShare(counted, weights) >= related)
  let covered = 0
  let lacksHeavyWord = false
  const missing: string[] = []
  for (const [i, term] of question.terms.entries()) {
    const weight = weights[i] as number
    const best = Math.max(0, ...near.map(({ counted }) => holdsTerm(counted, i)))
    // a synonym in the right surroundings is as good as the word
    const credit = best >= 1 ? 1 : best > 0 ? 0.8 : 0
    covered += weight * credit
    const isPart = !term.isCompound && term.weight < 0.5
    if (credit === 0 && all > 0 && weight / all >= 0.06 && !isPart) {
      missing.push(term.word)
      if (weight / all >= heavy || term.isName) lacksHeavyWord = true
    }
  }
  const headings = hits.map(({ heading, symbol, path }) => {
    const title = heading.split(' > ').slice(0, 3).join(' > ') || symbol.split(' ')[0] || ''
    return title === '' ? path : `${title} (${path})`
  })
  const share = all === 0 ? 0 : Math.round((covered / all) * 1000) / 1000
  return {
    share,
    missing,
    verdict: share < minPartial ? 'nothing' : share < minFound || lacksHeavyWord ? 'partial' : 'found',
    headings: [...new Set(headings)].slice(0, 3),
  }
}
