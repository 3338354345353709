// Plausibility of a gain: whether an effect is believed, or needs a user who accepts it.
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
 * Returns whether a gain is plausible. It is not if the effect is larger than `maxPlausible`, or if a value
 * has reached or passed zero, unless a user has accepted it. Passing checks or a holdout do not make it
 * plausible, because the candidate may end them as well.
 */
export function isPlausible(
  rules: JudgeRules,
  { accepted }: Pick<CandidateEvidence, 'accepted'>,
  gain: MeasuredGain,
): boolean {
  if (accepted?.implausible) return true
  if (crossesZero(rules, gain)) return false
  const { moved, d } = gain
  // an absolute difference has no size to compare with, so any size is plausible
  if (moved.scale === 'absolute') return true
  const least = moved.scale === 'ratio' ? -Math.log(rules.maxPlausible) : -rules.maxPlausible
  return d >= least
}

/**
 * Returns whether the candidate's median has crossed zero: costs cannot become zero or less, and an
 * improvement cannot bring a metric below zero that was never negative.
 */
function crossesZero({ direction }: JudgeRules, { pairs }: MeasuredGain): boolean {
  const s = direction === 'lower' ? 1 : -1
  const best = s * medianOf(pairs.map(({ base }) => base.value))
  const candidate = s * medianOf(pairs.map(({ cand }) => cand.value))
  if (best > 0) return candidate <= 0
  return best === 0 && direction === 'lower' && candidate < 0
}
