// Rules about the baseline: its test against itself (null test), drift, the significance level of the final
// comparison, a naive rule that compares single samples, and advice on a single sample.
import type { ExperimentSegment } from '../ledger/fold.ts'
import { noiseFloor } from '../stats/noise-floor.ts'
import { seededRandom } from '../stats/seeded-random.ts'
import { isConstant, type MetricDirection, medianOf, rawChange, signFlipTest } from '../stats/statistics.ts'
import { differencesOf, measuredEffectOf } from './effect.ts'
import type { JudgeRules, MeasuredEffect, SampleAdvice, SamplePair } from './evidence.ts'

/**
 * Number of pairs in one round of the null test. `minFinalPairs` is the smallest number in a final comparison
 * of values that vary.
 */
const nullPairs = 8
export const minFinalPairs = 20

type NullStep = { need: 'pairs'; count: number } | { usable: boolean; floorPct: number; veryNoisy: boolean }

/**
 * Judges a measurement of the baseline against itself. Returns whether the metric is usable, or how many
 * pairs are missing. If the side in the role of the candidate "wins" the first round, a second round of fresh
 * pairs decides. Two wins make the metric unusable. A noise floor (the spread of samples of one tree) above
 * 30 % is accepted and marked. `pairs` contains both rounds in order.
 */
export function judgeNullTest(rules: JudgeRules, pairs: readonly SamplePair[]): NullStep {
  const floorPct = 100 * noiseFloor(pairs.flatMap(({ base, cand }) => [base.value, cand.value]))
  for (const round of [0, 1]) {
    const from = round * nullPairs
    if (pairs.length < from + nullPairs) return { need: 'pairs', count: from + nullPairs - pairs.length }
    const { d, scale } = differencesOf(pairs.slice(from, from + nullPairs), rules.direction)
    const least = rules.minEffect ?? 0.01
    const p = signFlipTest(d, seededRandom(rules.seed, `null ${round}`))
    const wins =
      p < rules.alpha / rules.looks.length && medianOf(d) < (scale === 'ratio' ? Math.log(1 - least) : -least)
    if (!wins) return { usable: true, floorPct, veryNoisy: floorPct > 30 }
  }
  return { usable: false, floorPct, veryNoisy: floorPct > 30 }
}

/**
 * Judges the best tree against the baseline on pairs that were measured only for the final comparison.
 * Returns the effect, or the number of pairs that are still missing. Only the effect of a final comparison
 * may be called a gain.
 */
export function concludeFinal(
  rules: JudgeRules,
  pairs: readonly SamplePair[],
): { need: 'pairs'; count: number } | MeasuredEffect {
  if (pairs.length < minFinalPairs) return { need: 'pairs', count: minFinalPairs - pairs.length }
  const moved = differencesOf(pairs, rules.direction)
  const p = signFlipTest(moved.d, seededRandom(rules.seed, 'final/test'))
  return measuredEffectOf(rules, moved, p, 'final')
}

/**
 * Returns the significance level of the final comparison with this `number` for one best tree. All levels
 * together stay below `alpha`, because the sum of 1/(k(k+1)) over all k is 1. So repeating the final
 * comparison does not make a false gain more likely.
 */
export function finalLevel(alpha: number, number: number): number {
  return alpha / (number * (number + 1))
}

/**
 * Returns true if the test of a final comparison shows that the best tree is better than the baseline. Its
 * interval does not matter here; it is only displayed.
 */
export function isShown(
  effect: Pick<MeasuredEffect, 'p' | 'pct'>,
  { gate, bestDirection }: { gate: { alpha: number }; bestDirection: MetricDirection },
  number: number,
): boolean {
  const better = bestDirection === 'lower' ? effect.pct < 0 : effect.pct > 0
  return better && effect.p < finalLevel(gate.alpha, number)
}

/**
 * Number of pairs that are enough for the final comparison of a metric whose values are all equal
 * on each tree.
 */
export const constantPairs = 2

/**
 * Returns whether the baseline has at least 3 values and all are equal. The judge then
 * lets single values decide.
 */
export function isDeterministic({ baseline }: Pick<ExperimentSegment, 'baseline'>): boolean {
  const values = baseline?.samples.map(({ value }) => value) ?? []
  return values.length >= 3 && isConstant(values)
}

/**
 * Returns the effect of the final comparison if fresh values of both trees equal the `constantValues` values
 * of the baseline and the best tree. Returns undefined for fewer than two pairs, and if a value has changed;
 * then only `concludeFinal` can decide.
 */
export function concludeConstant(
  { direction }: Pick<JudgeRules, 'direction'>,
  pairs: readonly SamplePair[],
  constantValues: { base: number; cand: number },
): MeasuredEffect | undefined {
  if (pairs.length < constantPairs) return undefined
  if (
    !pairs.every(({ base, cand }) => base.value === constantValues.base && cand.value === constantValues.cand)
  )
    return undefined
  const { d, scale } = differencesOf(pairs, direction)
  const moved = medianOf(d)
  const pct = rawChange(moved, scale, direction)
  const unit = scale === 'absolute' ? { unit: scale } : {}
  return { ...unit, pct, ci: [pct, pct], p: moved < 0 ? 0 : 1, pairs: pairs.length, confirmed: false }
}

/**
 * Returns whether the baseline has to be measured again: 10 runs or 30 minutes after its last measurement.
 */
export function driftDue(runs: number, ms: number): boolean {
  return runs >= 10 || ms >= 30 * 60_000
}

interface BaselineDrift {
  /** Median change in percent, or in the unit of the metric for `unit: absolute`. */
  pct: number
  unit?: 'absolute'
  /** True if `|median ln ratio|` is over 3 noise floors. */
  drifted: boolean
}

/**
 * Compares later samples of the baseline tree with the first ones. If any value is 0 or below, relative
 * differences take the place of logarithms, and absolute ones if the median of the first samples is 0.
 */
export function judgeDrift(first: readonly number[], now: readonly number[]): BaselineDrift {
  const base = medianOf(first)
  const positive = [...first, ...now].every((value) => value > 0)
  const size = medianOf(first.map(Math.abs))
  const moved = medianOf(
    now.map((value) => (positive ? Math.log(value / base) : (value - base) / (size || 1))),
  )
  const drifted = Math.abs(moved) > 3 * noiseFloor(first)
  if (size === 0) return { pct: moved, unit: 'absolute', drifted }
  return { pct: 100 * (positive ? Math.exp(moved) - 1 : moved), drifted }
}

/**
 * Returns true if one sample is better than the best sample so far. This naive rule mistakes noise for gains
 * and is used only for comparison.
 */
export function isNaiveGain(best: number, sample: number, direction: MetricDirection): boolean {
  return direction === 'lower' ? sample < best : sample > best
}

/**
 * Returns advice on one sample under the gate `plain`, which measures each candidate only once. The advice is
 * `undecided` with fewer than 3 samples of the baseline tree.
 */
export function adviseOnSample(
  baseline: readonly number[],
  best: number,
  value: number,
  direction: MetricDirection,
): SampleAdvice {
  if (baseline.length < 3) return 'undecided'
  const positive = [...baseline, best, value].every((one) => one > 0)
  const away = positive ? Math.log(value / best) : (value - best) / (medianOf(baseline.map(Math.abs)) || 1)
  if (Math.abs(away) <= noiseFloor(baseline)) return 'within_noise'
  return isNaiveGain(best, value, direction) ? 'better' : 'worse'
}
