// The result of one look (a test after a fixed number of rounds) for a metric: proven, the
// same, or undecided.
import { seededRandom } from '../stats/seeded-random.ts'
import {
  bootstrapTrimmedInterval,
  medianOf,
  type PairDifferences,
  pairDifferences,
  rawChange,
  signFlipTest,
  trimmedMeanOf,
} from '../stats/statistics.ts'
import type { ComparedMetric, ComparisonRound, ComparisonRules, ComparisonVerdict } from './comparison.ts'

/**
 * The rounds that one look (a test after a fixed number of rounds) reads: the first ones, and those after
 * them that confirm a change. `suspects` are the names of the metrics in which it found a change.
 */
export interface ComparisonLook {
  screened: readonly ComparisonRound[]
  suspects: ReadonlySet<string>
  /**
   * Fresh rounds; empty if no change was found, if the rules need no confirmation, or if too few of
   * them were measured.
   */
  confirmation: readonly ComparisonRound[]
}

/** Significance level of the one-sided test that confirms a change. */
const confirmAlpha = 0.05
/**
 * Level of the confidence interval that is shown. The intervals that decide between `same` and `undecided`
 * have this level together, over all looks.
 */
export const intervalLevel = 0.9

/**
 * Returns the names of the metrics that decide the comparison and whose change is large enough and
 * significant after these rounds. Holm's correction adjusts the significance for several metrics.
 */
export function findSuspects(rules: ComparisonRules, screened: readonly ComparisonRound[]): Set<string> {
  const tested = rules.metrics
    .filter(({ decides }) => decides)
    .map((metric) => ({ metric, p: probabilityOf(rules, differencesOf(metric, screened, 'head'), metric) }))
    .sort((a, b) => a.p - b.p)
  const suspects = new Set<string>()
  for (const [i, { metric, p }] of tested.entries()) {
    if (p >= levelOf(rules) / (tested.length - i)) break
    if (isLarge(rules, differencesOf(metric, screened, 'head'))) suspects.add(metric.name)
  }
  return suspects
}

const levelOf = ({ alpha, looks }: ComparisonRules) => alpha / looks.length

const isLarge = ({ minEffect }: ComparisonRules, { d, scale }: PairDifferences) => {
  const change = Math.abs(trimmedMeanOf(d))
  return (scale === 'ratio' ? Math.expm1(change) : change) >= minEffect
}

/**
 * Returns the differences of one side to the base, smallest first, so that the order of the rounds
 * has no effect.
 */
export function differencesOf(
  { name, direction }: Pick<ComparedMetric, 'name' | 'direction'>,
  rounds: readonly ComparisonRound[],
  side: 'head' | 'control',
): PairDifferences {
  const of = (one: keyof ComparisonRound) => rounds.map((round) => round[one][name] as number)
  const moved = pairDifferences(of('base'), of(side), direction)
  return { ...moved, d: moved.d.sort((a, b) => a - b) }
}

/** Distance from 0, in medians of the distances, up to which a difference counts in full. */
const fullDistance = 1.5

/**
 * Returns the differences for a test. A difference far from 0 counts as one at the limit, because a single
 * slow execution would hide a change that all other rounds show. The limit depends on the distances alone and
 * not on their signs, so the test stays exact.
 */
function boundDifferences(d: readonly number[]): number[] {
  const limit = fullDistance * medianOf(d.map(Math.abs))
  return limit > 0 ? d.map((one) => Math.max(-limit, Math.min(limit, one))) : [...d]
}

/** Returns the p value of "no change" by a two-sided sign-flip test. */
function probabilityOf(rules: ComparisonRules, { d }: PairDifferences, { name }: ComparedMetric): number {
  const random = () => seededRandom(rules.seed, `compare/${name}/${d.length}`)
  const bounded = boundDifferences(d)
  const better = signFlipTest(bounded, random())
  const worse = signFlipTest(negateDifferences(bounded), random())
  return Math.min(1, 2 * Math.min(better, worse))
}

const negateDifferences = (d: readonly number[]) => d.map((one) => -one).reverse()

/**
 * Returns the p value of the fresh rounds for a change in the direction that the first rounds showed, and
 * whether they confirm that change.
 */
function confirmChange(
  rules: ComparisonRules,
  fresh: PairDifferences,
  isGain: boolean,
  { name }: ComparedMetric,
): { p: number; isRepeated: boolean } {
  const d = isGain ? fresh.d : negateDifferences(fresh.d)
  const p = signFlipTest(boundDifferences(d), seededRandom(rules.seed, `compare/${name}/confirm`))
  return { p, isRepeated: p < confirmAlpha && trimmedMeanOf(d) < 0 }
}

/** The result of one look (a test after a fixed number of rounds) for a metric. */
interface MetricDecision {
  verdict: ComparisonVerdict
  /**
   * True if the head differs from the base and, unless the rules require no confirmation, fresh rounds repeat
   * the difference. A difference of the base from itself (`hasMoved`) does not change this field.
   */
  isProven: boolean
  hasMoved: boolean
  /** P value of the change in the rounds of the look, or in all rounds if none of the looks was complete. */
  p: number
  /** P value of the fresh rounds; undefined if they did not test this metric. */
  confirmP?: number
}

/**
 * Whether a look proves a change of the metric, and the p value of the fresh rounds if they
 * tested this metric.
 */
interface TestedChange {
  isProven: boolean
  isGain: boolean
  confirmP?: number
}

/**
 * Returns whether the look (a test after a fixed number of rounds) proves a change of the metric. `rounds`
 * are all that were measured.
 */
export function testChange(
  rules: ComparisonRules,
  rounds: readonly ComparisonRound[],
  metric: ComparedMetric,
  { screened, suspects, confirmation }: ComparisonLook,
): TestedChange {
  const isGain = trimmedMeanOf(differencesOf(metric, screened.length > 0 ? screened : rounds, 'head').d) < 0
  if (!suspects.has(metric.name)) return { isProven: false, isGain }
  const isEnough = isLarge(rules, differencesOf(metric, rounds, 'head'))
  if (rules.confirm === 0) return { isProven: isEnough, isGain }
  if (confirmation.length === 0) return { isProven: false, isGain }
  const fresh = differencesOf(metric, confirmation, 'head')
  const { p, isRepeated } = confirmChange(rules, fresh, isGain, metric)
  return { isProven: isEnough && isRepeated, isGain, confirmP: p }
}

/**
 * Returns the verdict of the look (a test after a fixed number of rounds) on the metric, with its p values.
 * `rounds` are all that were measured.
 */
export function judgeMetric(
  rules: ComparisonRules,
  rounds: readonly ComparisonRound[],
  metric: ComparedMetric,
  look: ComparisonLook,
): MetricDecision {
  const { screened, confirmation } = look
  const { isProven, isGain, confirmP } = testChange(rules, rounds, metric, look)
  const hasMoved = isControlMoved(rules, metric, screened, confirmation)
  const moved = differencesOf(metric, rounds, 'head')
  const isSame = () => isWithinMargin(rules, moved, metric)
  const verdict = verdictOf({ isProven, hasMoved, isGain, isSame })
  const test = screened.length > 0 ? differencesOf(metric, screened, 'head') : moved
  return { verdict, isProven, hasMoved, p: probabilityOf(rules, test, metric), confirmP }
}

function verdictOf(findings: {
  isProven: boolean
  hasMoved: boolean
  isGain: boolean
  isSame: () => boolean
}): ComparisonVerdict {
  if (findings.isProven && findings.hasMoved) return 'undecided'
  if (findings.isProven) return findings.isGain ? 'gain' : 'loss'
  return findings.isSame() ? 'same' : 'undecided'
}

/**
 * Returns true if the base differs from itself in the rounds of the look and, if there are fresh rounds,
 * also in those.
 */
function isControlMoved(
  rules: ComparisonRules,
  metric: ComparedMetric,
  screened: readonly ComparisonRound[],
  confirmation: readonly ComparisonRound[],
): boolean {
  if (screened.length === 0) return false
  const control = differencesOf(metric, screened, 'control')
  if (probabilityOf(rules, control, metric) >= levelOf(rules) || !isLarge(rules, control)) return false
  if (confirmation.length === 0) return true
  const isGain = trimmedMeanOf(control.d) < 0
  return confirmChange(rules, differencesOf(metric, confirmation, 'control'), isGain, metric).isRepeated
}

/**
 * Returns whether the metric is the same on both sides: the change is below the least effect, and its
 * interval is within the margin. Always false before the second look (or the only one). The interval is wider
 * than the one that is shown, because each look is one more chance to call a change the same by accident.
 */
export function isWithinMargin(
  rules: ComparisonRules,
  moved: PairDifferences,
  { name }: ComparedMetric,
): boolean {
  const { looks, margin, seed } = rules
  if (moved.d.length < (looks[1] ?? looks[0] ?? 0) || isLarge(rules, moved)) return false
  const random = seededRandom(seed, `compare/${name}/same`)
  const level = 1 - (1 - intervalLevel) / looks.length
  return bootstrapTrimmedInterval(moved.d, random, { level }).every(
    (end) => Math.abs(rawChange(end, moved.scale, moved.direction)) <= 100 * margin,
  )
}
