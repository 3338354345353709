// Plausibility of a gain: whether an effect is believed, asks for more evidence, or needs a person.
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
 * Whether an effect is believed. `ask`: it is larger than is plausible, and fresh pairs together with checks
 * or a holdout may bear it out; without those nothing says that the program still does its work. A value that
 * has reached or passed zero has no ratio to the old one, so nothing can bear it out but a person.
 */
export function judgePlausibility(
  rules: JudgeRules,
  { accepted }: CandidateEvidence,
  gain: MeasuredGain,
): 'yes' | 'ask' | 'no' {
  if (accepted?.implausible) return 'yes'
  if (crossesZero(rules, gain)) return 'no'
  const { moved, d } = gain
  // nothing can be called too good on a scale that has no size
  if (moved.scale === 'absolute') return 'yes'
  const least = moved.scale === 'ratio' ? -Math.log(rules.maxPlausible) : -rules.maxPlausible
  if (d >= least) return 'yes'
  return rules.after.length > 0 ? 'ask' : 'no'
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
