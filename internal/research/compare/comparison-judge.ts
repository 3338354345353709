// The verdict of a comparison. It is a pure function of the measured rounds, in each of which the base is
// also compared with itself as a control.
import { seededRandom } from '../stats/seeded-random.ts'
import {
  bootstrapTrimmedInterval,
  medianOf,
  type PairDifferences,
  rawChange,
  trimmedMeanOf,
} from '../stats/statistics.ts'
import type {
  ComparedMetric,
  ComparisonEvidence,
  ComparisonOutcome,
  ComparisonRound,
  ComparisonRules,
  ComparisonVerdict,
  MetricComparison,
  UndecidedReason,
} from './comparison.ts'
import {
  type ComparisonLook,
  differencesOf,
  findSuspects,
  intervalLevel,
  isWithinMargin,
  judgeMetric,
  testChange,
} from './comparison-decision.ts'

/**
 * Rounds that have to be measured before there is a verdict, or before the next look (a test after a fixed
 * number of rounds).
 */
export interface WantedRounds {
  need: 'rounds' | 'confirmation'
  /** Number of rounds that are missing. */
  count: number
  /**
   * Number of rounds that `count` belongs to: all rounds up to the next look, or those that confirm a change.
   */
  of: number
}

/** Returns the verdict on the rounds so far, or the rounds that are missing for it. */
type ComparisonJudge = (evidence: ComparisonEvidence) => WantedRounds | ComparisonOutcome

/**
 * Returns a judge of one comparison. Between two calls, the caller may only add rounds. After a look (a test
 * of the first rounds) that finds a change, the judge requests fresh rounds. If these do not repeat the
 * change, they count as ordinary rounds, and the next look reads them too.
 */
export function comparisonJudge(rules: ComparisonRules): ComparisonJudge {
  // The first rounds never change, and their test is slow, so the result of each look is cached.
  const suspectsByLook = new Map<number, ReadonlySet<string>>()
  const suspectsAt = (look: number, screened: readonly ComparisonRound[]) => {
    const suspects = suspectsByLook.get(look) ?? findSuspects(rules, screened)
    suspectsByLook.set(look, suspects)
    return suspects
  }
  return (evidence) => {
    const { rounds, isBudgetSpent = false } = evidence
    let last: ComparisonLook = { screened: [], suspects: new Set(), confirmation: [] }
    for (const look of rules.looks) {
      if (rounds.length < look && isBudgetSpent) break
      if (rounds.length < look) return { need: 'rounds', count: look - rounds.length, of: look }
      const screened = rounds.slice(0, look)
      const suspects = suspectsAt(look, screened)
      const of = suspects.size > 0 ? confirmationOf(rules, look) : 0
      const fresh = rounds.slice(look, look + of)
      if (fresh.length < of && !isBudgetSpent) return { need: 'confirmation', count: of - fresh.length, of }
      last = { screened, suspects, confirmation: fresh.length < of ? [] : fresh }
      if (isDecided(rules, rounds, last) || isHopeless(rules, rounds)) break
    }
    return concludeComparison(rules, evidence, last)
  }
}

/**
 * Returns true if a change of a deciding metric is proven, or if all deciding metrics are the same
 * on both sides.
 */
function isDecided(
  rules: ComparisonRules,
  rounds: readonly ComparisonRound[],
  look: ComparisonLook,
): boolean {
  const deciding = rules.metrics.filter(({ decides }) => decides)
  return (
    deciding.some((metric) => testChange(rules, rounds, metric, look).isProven) ||
    deciding.every((metric) => isWithinMargin(rules, differencesOf(metric, rounds, 'head'), metric))
  )
}

/**
 * Number of looks (tests after fixed numbers of rounds) after which a comparison may end early because its
 * values vary too much.
 */
const looksBeforeEnd = 3
/**
 * Half of the width, in standard errors, of the interval that has to be within the margin for `same`. It is
 * 10 % wider than for a mean, because a trimmed mean is less precise.
 */
const sameQuantile = 2.33 * 1.1

/**
 * Returns whether the noise is far too strong for the last look: no deciding metric can be shown to be the
 * same, and to show a change would need more than twice the rounds of that look. The time for them is better
 * spent on a quieter machine. Always false before the third look.
 */
function isHopeless(rules: ComparisonRules, rounds: readonly ComparisonRound[]): boolean {
  const { looks, metrics, margin } = rules
  const last = looks.at(-1) ?? 0
  if (rounds.length < (looks[looksBeforeEnd - 1] ?? Infinity)) return false
  return metrics
    .filter(({ decides }) => decides)
    .every((metric) => {
      const moved = differencesOf(metric, rounds, 'head')
      const spread = spreadOf(moved.d)
      return ((sameQuantile * spread) / margin) ** 2 > last && roundsFor(spread, rules, moved) > 2 * last
    })
}

/**
 * Returns the number of fresh rounds that have to confirm a change: half of those that found it, but at
 * least `confirm`. A change that needs many rounds against the noise is not repeated by a few. 0 if the
 * rules want none.
 */
const confirmationOf = ({ confirm }: ComparisonRules, look: number) =>
  confirm === 0 ? 0 : Math.max(confirm, look / 2)

function concludeComparison(
  rules: ComparisonRules,
  evidence: ComparisonEvidence,
  look: ComparisonLook,
): ComparisonOutcome {
  const metrics = rules.metrics.map((metric) => compareMetric(rules, evidence, metric, look))
  const deciding = metrics.filter(({ decides }) => decides)
  const order: ComparisonVerdict[] = ['loss', 'undecided', 'gain', 'same']
  const verdict = order.find((one) => deciding.some((metric) => metric.verdict === one)) ?? 'undecided'
  return { verdict, metrics }
}

function compareMetric(
  rules: ComparisonRules,
  { rounds, isBudgetSpent }: ComparisonEvidence,
  metric: ComparedMetric,
  look: ComparisonLook,
): MetricComparison {
  const { verdict, isProven, hasMoved, p, confirmP } = judgeMetric(rules, rounds, metric, look)
  const moved = differencesOf(metric, rounds, 'head')
  const control = differencesOf(metric, rounds, 'control')
  const reason = reasonOf(verdict, { isProven, isRefuted: confirmP !== undefined, isBudgetSpent })
  const spread = spreadOf(moved.d)
  const middle = (side: keyof ComparisonRound) =>
    medianOf(rounds.map((round) => round[side][metric.name] as number))
  return {
    ...metric,
    verdict,
    reason,
    base: middle('base'),
    head: middle('head'),
    ...describeChange(rules, moved, `${metric.name}/head`),
    unit: moved.scale === 'absolute' ? 'absolute' : undefined,
    p,
    rounds: rounds.length,
    confirmed: isProven && rules.confirm > 0,
    confirm_p: confirmP,
    spread_pct: 100 * spread,
    rounds_needed: verdict === 'undecided' ? roundsFor(spread, rules, moved) : undefined,
    control: { ...describeChange(rules, control, `${metric.name}/control`), moved: hasMoved },
  }
}

function reasonOf(
  verdict: ComparisonVerdict,
  findings: { isProven: boolean; isRefuted: boolean; isBudgetSpent?: boolean },
): UndecidedReason | undefined {
  if (verdict !== 'undecided') return undefined
  if (findings.isProven) return 'control moved'
  if (findings.isRefuted) return 'not repeated'
  return findings.isBudgetSpent ? 'budget' : 'noise'
}

function describeChange(
  rules: ComparisonRules,
  { d, scale, direction }: PairDifferences,
  label: string,
): { pct: number; ci: [number, number] } {
  const random = seededRandom(rules.seed, `compare/${label}/interval`)
  const ends = bootstrapTrimmedInterval(d, random, { level: intervalLevel })
  const [low = 0, high = 0] = ends.map((end) => rawChange(end, scale, direction)).sort((a, b) => a - b)
  return { pct: rawChange(trimmedMeanOf(d), scale, direction), ci: [low, high] }
}

/**
 * Returns the robust standard deviation of the differences: 1.4826 times the median of their distances from
 * their median. If that is 0, returns the usual standard deviation.
 */
function spreadOf(d: readonly number[]): number {
  const middle = medianOf(d)
  const robust = 1.4826 * medianOf(d.map((one) => Math.abs(one - middle)))
  if (robust > 0 || d.length < 2) return robust
  const mean = d.reduce((sum, one) => sum + one, 0) / d.length
  return Math.sqrt(d.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (d.length - 1))
}

/**
 * Sum of two normal quantiles: for the significance level of one look, two-sided, and for a chance of 80 % to
 * find the change.
 */
const quantiles = 2.58 + 0.84

/** Returns about how many rounds are needed for a verdict on the metric. */
function roundsFor(
  spread: number,
  { minEffect, margin, looks }: ComparisonRules,
  { d }: PairDifferences,
): number {
  const change = Math.max(Math.abs(trimmedMeanOf(d)), minEffect, margin / 2)
  return Math.max(looks[0] ?? 1, Math.ceil(((quantiles * spread) / change) ** 2))
}
