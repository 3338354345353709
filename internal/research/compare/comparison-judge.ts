// The verdict of a comparison. It is a pure function of the measured rounds, in each of which the base is
// also compared with itself as a control.
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

/** Rounds that have to be measured before there is a verdict. */
export interface WantedRounds {
  need: 'rounds' | 'confirmation'
  count: number
}

/** Significance level of the one-sided test that confirms a change. */
const confirmAlpha = 0.05
/** Share that the confidence interval covers by which `same` and `undecided` are distinguished. */
const intervalLevel = 0.9

/** Returns the verdict, or the rounds that are missing for it. The order of the rounds does not matter. */
export function judgeComparison(
  rules: ComparisonRules,
  evidence: ComparisonEvidence,
): WantedRounds | ComparisonOutcome {
  const { rounds, confirmation, isBudgetSpent = false } = evidence
  const [first = 0] = rules.looks
  const look = rules.looks.findLast((n) => n <= rounds.length)
  if (look === undefined)
    return isBudgetSpent
      ? conclude(rules, evidence, new Set(), [])
      : { need: 'rounds', count: first - rounds.length }
  const screened = rounds.slice(0, look)
  const suspects = findSuspects(rules, screened)
  const lacking = rules.confirm - confirmation.length
  if (suspects.size > 0 && lacking > 0 && !isBudgetSpent) return { need: 'confirmation', count: lacking }
  const outcome = conclude(rules, evidence, suspects, screened)
  const next = rules.looks.find((n) => n > look)
  const isSettled = outcome.metrics.every(({ decides, verdict }) => !decides || verdict === 'same')
  if (suspects.size > 0 || isBudgetSpent || isSettled || next === undefined) return outcome
  return { need: 'rounds', count: next - rounds.length }
}

/**
 * Returns the deciding metrics whose change is large enough and significant after these rounds, by Holm's
 * correction for several metrics.
 */
function findSuspects(rules: ComparisonRules, screened: readonly ComparisonRound[]): Set<string> {
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
function differencesOf(
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
  const worse = signFlipTest(negated(bounded), random())
  return Math.min(1, 2 * Math.min(better, worse))
}

const negated = (d: readonly number[]) => d.map((one) => -one).reverse()

/**
 * Returns the p value of the fresh rounds for a change in the direction that the first rounds showed, and
 * whether they confirm that change.
 */
function repeats(
  rules: ComparisonRules,
  fresh: PairDifferences,
  isGain: boolean,
  { name }: ComparedMetric,
): { p: number; isRepeated: boolean } {
  const d = isGain ? fresh.d : negated(fresh.d)
  const p = signFlipTest(boundDifferences(d), seededRandom(rules.seed, `compare/${name}/confirm`))
  return { p, isRepeated: p < confirmAlpha && trimmedMeanOf(d) < 0 && isLarge(rules, fresh) }
}

function conclude(
  rules: ComparisonRules,
  evidence: ComparisonEvidence,
  suspects: ReadonlySet<string>,
  screened: readonly ComparisonRound[],
): ComparisonOutcome {
  const metrics = rules.metrics.map((metric) =>
    compareMetric(rules, evidence, metric, screened, suspects.has(metric.name)),
  )
  const deciding = metrics.filter(({ decides }) => decides)
  const order: ComparisonVerdict[] = ['loss', 'undecided', 'gain', 'same']
  const verdict = order.find((one) => deciding.some((metric) => metric.verdict === one)) ?? 'undecided'
  return { verdict, metrics }
}

function compareMetric(
  rules: ComparisonRules,
  { rounds, confirmation, isBudgetSpent }: ComparisonEvidence,
  metric: ComparedMetric,
  screened: readonly ComparisonRound[],
  isSuspect: boolean,
): MetricComparison {
  const all = [...rounds, ...confirmation]
  const moved = differencesOf(metric, all, 'head')
  const control = differencesOf(metric, all, 'control')
  const test = screened.length > 0 ? differencesOf(metric, screened, 'head') : moved
  const isGain = trimmedMeanOf(test.d) < 0
  const fresh = confirmation.length >= rules.confirm && confirmation.length > 0
  const repeated = fresh
    ? repeats(rules, differencesOf(metric, confirmation, 'head'), isGain, metric)
    : undefined
  const isProven = isSuspect && (rules.confirm === 0 || repeated?.isRepeated === true)
  const hasMoved = isControlMoved(rules, metric, screened, fresh ? confirmation : [])
  const interval = describe(rules, moved, `${metric.name}/head`)
  const isWithin = all.length >= (rules.looks[1] ?? rules.looks[0] ?? 0) && isNear(rules, interval.ci)
  const found = verdictOf({ isProven, hasMoved, isGain, isWithin })
  const reason = reasonOf(found, { isProven, isSuspect, fresh, isBudgetSpent })
  const spread = spreadOf(moved.d)
  const middle = (side: keyof ComparisonRound) =>
    medianOf(all.map((round) => round[side][metric.name] as number))
  return {
    ...metric,
    verdict: found,
    reason,
    base: middle('base'),
    head: middle('head'),
    ...interval,
    unit: moved.scale === 'absolute' ? 'absolute' : undefined,
    p: probabilityOf(rules, test, metric),
    rounds: all.length,
    confirmed: isProven && rules.confirm > 0,
    confirm_p: isSuspect ? repeated?.p : undefined,
    spread_pct: 100 * spread,
    rounds_needed: found === 'undecided' ? roundsFor(spread, rules, moved) : undefined,
    control: { ...describe(rules, control, `${metric.name}/control`), moved: hasMoved },
  }
}

function verdictOf(found: {
  isProven: boolean
  hasMoved: boolean
  isGain: boolean
  isWithin: boolean
}): ComparisonVerdict {
  if (found.isProven && found.hasMoved) return 'undecided'
  if (found.isProven) return found.isGain ? 'gain' : 'loss'
  return found.isWithin ? 'same' : 'undecided'
}

function reasonOf(
  verdict: ComparisonVerdict,
  found: { isProven: boolean; isSuspect: boolean; fresh: boolean; isBudgetSpent?: boolean },
): UndecidedReason | undefined {
  if (verdict !== 'undecided') return undefined
  if (found.isProven) return 'control moved'
  if (found.isSuspect && found.fresh) return 'not repeated'
  return found.isBudgetSpent ? 'budget' : 'noise'
}

/** Returns true if the base differs from itself by the same rule that proves a change. */
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
  return repeats(rules, differencesOf(metric, confirmation, 'control'), isGain, metric).isRepeated
}

function describe(
  rules: ComparisonRules,
  { d, scale, direction }: PairDifferences,
  label: string,
): { pct: number; ci: [number, number] } {
  const random = seededRandom(rules.seed, `compare/${label}/interval`)
  const ends = bootstrapTrimmedInterval(d, random, { level: intervalLevel })
  const [low = 0, high = 0] = ends.map((end) => rawChange(end, scale, direction)).sort((a, b) => a - b)
  return { pct: rawChange(trimmedMeanOf(d), scale, direction), ci: [low, high] }
}

const isNear = ({ margin }: ComparisonRules, [low, high]: [number, number]) =>
  low >= -100 * margin && high <= 100 * margin

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
const quantiles = 2.39 + 0.84

/** Returns about how many rounds are needed for a verdict on the metric. */
function roundsFor(
  spread: number,
  { minEffect, margin, looks }: ComparisonRules,
  { d }: PairDifferences,
): number {
  const change = Math.max(Math.abs(trimmedMeanOf(d)), minEffect, margin / 2)
  return Math.max(looks[0] ?? 1, Math.ceil(((quantiles * spread) / change) ** 2))
}
