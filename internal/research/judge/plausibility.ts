// Plausibility of a gain: whether a gain is believed, or needs a user who accepts it.
import { medianOf, type PairDifferences } from '../stats/statistics.ts'
import type { CandidateEvidence, JudgeRules, MeasuredEffect, SamplePair } from './evidence.ts'

export interface MeasuredGain {
  moved: PairDifferences
  d: number
  effect: MeasuredEffect
  pairs: readonly SamplePair[]
  reason?: 'gain' | 'deterministic'
}

/**
 * Returns true if a gain is plausible, or if a user has accepted an implausible one. A gain is implausible if
 * its ratio or relative effect is larger than `maxPlausible`, or if the median has crossed zero. The size of
 * an absolute difference does not matter. Passing checks or a holdout do not make a gain plausible, because
 * the candidate may have stopped them from working.
 */
export function isPlausible(
  rules: JudgeRules,
  { accepted }: Pick<CandidateEvidence, 'accepted'>,
  gain: MeasuredGain,
): boolean {
  if (accepted?.implausible) return true
  if (crossesZero(rules, gain)) return false
  const { moved, d } = gain
  // An absolute difference has no base to compare with, so its size is never implausible.
  if (moved.scale === 'absolute') return true
  const least = moved.scale === 'ratio' ? -Math.log(rules.maxPlausible) : -rules.maxPlausible
  return d >= least
}

/**
 * Returns true if the median has crossed zero: from above zero to zero or less. For a metric that should be
 * high, the signs are reversed. For a metric that should be low, a step from zero to a negative value counts
 * too. Costs cannot become zero or less, and an improvement cannot change the sign of a metric.
 */
function crossesZero({ direction }: JudgeRules, { pairs }: MeasuredGain): boolean {
  const s = direction === 'lower' ? 1 : -1
  const best = s * medianOf(pairs.map(({ base }) => base.value))
  const candidate = s * medianOf(pairs.map(({ cand }) => cand.value))
  if (best > 0) return candidate <= 0
  return best === 0 && direction === 'lower' && candidate < 0
}
