// Rules about the baseline: null test, drift, final level, the naive rule, and advice on one sample.
import type { ExperimentSegment } from '../ledger/fold.ts'
import { noiseFloor } from '../stats/noise-floor.ts'
import { seededRandom } from '../stats/seeded-random.ts'
import { isConstant, type MetricDirection, medianOf, rawChange, signFlipTest } from '../stats/statistics.ts'
import { differencesOf, measuredEffectOf } from './effect.ts'
import type { JudgeRules, MeasuredEffect, SampleAdvice, SamplePair } from './evidence.ts'

/** Pairs of one round of the null test, and of the shortest final. */
const nullPairs = 8
export const minFinalPairs = 20

type NullStep = { need: 'pairs'; count: number } | { usable: boolean; floorPct: number; veryNoisy: boolean }

/**
 * Measures the baseline against itself. When it "wins" the first round, a second one of fresh pairs decides;
 * winning both makes the metric unusable. A floor above 30 % is accepted and marked. `pairs` holds both
 * rounds in order.
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
 * Best against baseline on pairs that were measured for nothing else; the only effect that may be called a
 * gain.
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
 * Level of the final that is the `number`th of one best. All of them together stay below `alpha` however
 * often somebody measures again, because the sum of 1/(k(k+1)) over all k is 1; repeating
 * the final gains nothing.
 */
export function finalLevel(alpha: number, number: number): number {
  return alpha / (number * (number + 1))
}

/**
 * Whether the test of a final shows that best is better than the baseline; the interval is for looking at.
 */
export function isShown(
  effect: Pick<MeasuredEffect, 'p' | 'pct'>,
  { gate, bestDirection }: { gate: { alpha: number }; bestDirection: MetricDirection },
  number: number,
): boolean {
  const better = bestDirection === 'lower' ? effect.pct < 0 : effect.pct > 0
  return better && effect.p < finalLevel(gate.alpha, number)
}

/** Pairs that settle the final of a metric whose value has never moved. */
export const constantPairs = 2

/**
 * Whether the baseline's values are at least 3 and all the same: the judge then lets single values decide.
 */
export function isDeterministic({ baseline }: Pick<ExperimentSegment, 'baseline'>): boolean {
  const values = baseline?.samples.map(({ value }) => value) ?? []
  return values.length >= 3 && isConstant(values)
}

/**
 * The final effect where fresh values of both trees are those that were known before: `known` are the
 * baseline's and best's. Undefined when one has moved; only `concludeFinal` can then tell.
 */
export function concludeConstant(
  { direction }: Pick<JudgeRules, 'direction'>,
  pairs: readonly SamplePair[],
  known: { base: number; cand: number },
): MeasuredEffect | undefined {
  if (pairs.length < constantPairs) return undefined
  if (!pairs.every(({ base, cand }) => base.value === known.base && cand.value === known.cand))
    return undefined
  const { d, scale } = differencesOf(pairs, direction)
  const moved = medianOf(d)
  const pct = rawChange(moved, scale, direction)
  const unit = scale === 'absolute' ? { unit: scale } : {}
  return { ...unit, pct, ci: [pct, pct], p: moved < 0 ? 0 : 1, pairs: pairs.length, confirmed: false }
}

/** Every 10 runs or 30 minutes the baseline is measured again. */
export function driftDue(runs: number, ms: number): boolean {
  return runs >= 10 || ms >= 30 * 60_000
}

/**
 * How far later samples of the baseline tree lie from the first ones: `pct` is the median change, `drifted`
 * that `|median ln ratio|` is over 3 noise floors. Values of 0 or below are compared as differences by their
 * size.
 */
export function judgeDrift(
  first: readonly number[],
  now: readonly number[],
): { pct: number; drifted: boolean } {
  const base = medianOf(first)
  const positive = [...first, ...now].every((value) => value > 0)
  const size = medianOf(first.map(Math.abs)) || 1
  const moved = medianOf(now.map((value) => (positive ? Math.log(value / base) : (value - base) / size)))
  const pct = 100 * (positive ? Math.exp(moved) - 1 : moved)
  return { pct, drifted: Math.abs(moved) > 3 * noiseFloor(first) }
}

/** The rule that fools itself, for comparison only: one sample beats the best one so far. */
export function isNaiveGain(best: number, sample: number, direction: MetricDirection): boolean {
  return direction === 'lower' ? sample < best : sample > best
}

/** Advice on one sample under the gate `plain`; below 3 samples of the baseline tree it is `undecided`. */
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
