// The effect that a set of pairs shows: the differences, their size with an interval, and the smallest
// effect that counts.
import { seededRandom } from '../stats/seeded-random.ts'
import {
  bootstrapMedianInterval,
  type MetricDirection,
  medianOf,
  type PairDifferences,
  pairDifferences,
  rawChange,
} from '../stats/statistics.ts'
import type { JudgeRules, MeasuredEffect, SamplePair } from './evidence.ts'

export function differencesOf(pairs: readonly SamplePair[], direction: MetricDirection): PairDifferences {
  return pairDifferences(
    pairs.map((pair) => pair.base.value),
    pairs.map((pair) => pair.cand.value),
    direction,
  )
}

/** Returns the effect of a set of pairs for display and storage. No verdict depends on its interval. */
export function measuredEffectOf(
  { direction, seed }: Pick<JudgeRules, 'direction' | 'seed'>,
  moved: PairDifferences,
  p: number,
  label: string,
): MeasuredEffect {
  const changeOf = (d: number) => rawChange(d, moved.scale, direction)
  const ends = bootstrapMedianInterval(moved.d, seededRandom(seed, `${label}/interval`)).map(changeOf)
  const ci: [number, number] = [Math.min(...ends), Math.max(...ends)]
  return {
    ...effectUnit(moved),
    pct: changeOf(medianOf(moved.d)),
    ci,
    p,
    pairs: moved.d.length,
    confirmed: false,
  }
}

export const effectUnit = ({ scale }: PairDifferences) =>
  scale === 'absolute' ? { unit: 'absolute' as const } : {}
/**
 * Returns the limit below which a difference is an improvement by more than `least`. `least` is a share, or
 * an amount if the differences are absolute. For the scale `ratio`, differences and the limit are logarithms.
 */
export function effectThreshold({ scale }: PairDifferences, least: number): number {
  return scale === 'ratio' ? Math.log(1 - least) : -least
}
