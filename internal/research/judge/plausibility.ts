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
 * Returns false for an effect larger than is plausible, and for a value that has reached or passed zero.
 * Checks and a holdout do not lift this limit: the candidate may end them as well. Only a user can accept it.
 */
export function isPlausible(
  rules: JudgeRules,
  { accepted }: Pick<CandidateEvidence, 'accepted'>,
  gain: MeasuredGain,
): boolean {
  if (accepted?.implausible) return true
  if (crossesZero(rules, gain)) return false
  const { moved, d } = gain
  // nothing can be called too good on a scale that has no size
  if (moved.scale === 'absolute') return true
  const least = moved.scale === 'ratio' ? -Math.log(rules.maxPlausible) : -rules.maxPlausible
  return d >= least
}

/**
 * Costs do not become nothing or less, and a metric that was never below zero does not go there by an
 * improvement.
 */
function crossesZero({ direction }: JudgeRules, { pairs }: MeasuredGain): boolean {
  const s = direction === 'lower' ? 1 : -1
  const best = s * medianOf(pairs.map(({ base }) => base.value))
  const candidate = s * medianOf(pairs.map(({ cand }) => cand.value))
  if (best > 0) return candidate <= 0
  return best === 0 && direction === 'lower' && candidate < 0
}
