// The rounds of a comparison. They are measured until there is a verdict or the time is used up. Each round
// executes the base twice and the head once, in random order.

import { FailureError } from '../../base/errors.ts'
import { monotonicNow } from '../../base/time-limit.ts'
import type { MeasurementCheckout } from '../measure/benchmark-checkout.ts'
import { lockViolation } from '../measure/measurement-stopped.ts'
import { isOwnMetric, ownMetrics } from '../measure/own-measurement.ts'
import { type SeededRandom, seededRandom } from '../stats/seeded-random.ts'
import { type ExperimentWorkspace, withTimingLock } from '../workspace/experiment-workspace.ts'
import type {
  ComparedMetric,
  ComparisonOrder,
  ComparisonOutcome,
  ComparisonRound,
  ComparisonRules,
  MetricValues,
} from './comparison.ts'
import { observeExecution, sideError } from './comparison-benchmark.ts'
import { comparisonJudge, type WantedRounds } from './comparison-judge.ts'

export interface MeasuredComparison extends ComparisonOutcome {
  rounds: number
  executions: number
  seconds: number
  isolation?: string
  notes: string[]
}

interface ComparedCheckouts {
  base: MeasurementCheckout
  head: MeasurementCheckout
}

/** What a comparison has measured so far. */
interface RoundsSoFar {
  rounds: ComparisonRound[]
  executions: number
  /** Time in milliseconds, on the monotonic clock, at which the budget began. */
  started: number
}

const looks = [8, 16, 32, 64, 128]
const alpha = 0.05
const confirm = 10
/**
 * Milliseconds that one execution may always take, even with a smaller budget, because a verdict needs at
 * least one round.
 */
const leastTimeoutMs = 60_000

/**
 * Measures rounds until the judge has a verdict or the budget is spent. `lacking` is the reason why
 * executions are not isolated here, for error messages. Throws like `observeExecution` if a side cannot be
 * measured, and MeasurementStopped if a copied file of the user has changed.
 */
export function measureComparison(
  experiment: ExperimentWorkspace,
  checkouts: ComparedCheckouts,
  order: ComparisonOrder,
  lacking: string | undefined,
): Promise<MeasuredComparison> {
  return withTimingLock(experiment, 'pairs', async () => {
    const so: RoundsSoFar = { rounds: [], executions: 0, started: monotonicNow() }
    const take = async (side: 'base' | 'head') => {
      so.executions++
      const timeoutMs = Math.max(order.budgetMs, leastTimeoutMs)
      return observeExecution(checkouts[side], side, { order, timeoutMs })
    }
    const first = { base: await take('base'), head: await take('head') }
    const { metrics, notes } = chooseMetrics(order, first, lacking)
    const rules: ComparisonRules = { ...order, metrics, looks, alpha, confirm }
    const outcome = await measureRounds(experiment, checkouts, rules, so, order.budgetMs, take)
    const seconds = (monotonicNow() - so.started) / 1000
    return { ...outcome, rounds: so.rounds.length, executions: so.executions, seconds, notes }
  })
}

async function measureRounds(
  experiment: ExperimentWorkspace,
  checkouts: ComparedCheckouts,
  rules: ComparisonRules,
  so: RoundsSoFar,
  budgetMs: number,
  take: (side: 'base' | 'head') => Promise<MetricValues>,
): Promise<ComparisonOutcome> {
  const chance = seededRandom(rules.seed, 'compare/order')
  const judge = comparisonJudge(rules)
  let longest = 0
  for (;;) {
    const step = judge(so)
    if ('verdict' in step) return step
    for (let i = 0; i < step.count; i++) {
      const before = monotonicNow()
      const isSpent = so.rounds.length > 0 && before - so.started + longest > budgetMs
      if (isSpent) return judge({ ...so, isBudgetSpent: true }) as ComparisonOutcome
      for (const side of ['base', 'head'] as const) {
        const changed = checkouts[side].changedOrigin()
        if (changed !== undefined) throw lockViolation(changed, side === 'base' ? 'base' : 'cand')
      }
      const round = await takeRound(chance, take)
      checkRound(rules.metrics, round)
      so.rounds.push(round)
      longest = Math.max(longest, monotonicNow() - before)
      tellRound(experiment, rules, round, step, step.of - step.count + i + 1)
    }
  }
}

async function takeRound(
  chance: SeededRandom,
  take: (side: 'base' | 'head') => Promise<MetricValues>,
): Promise<ComparisonRound> {
  const remainingSides: (keyof ComparisonRound)[] = ['base', 'control', 'head']
  const values: Partial<Record<keyof ComparisonRound, MetricValues>> = {}
  while (remainingSides.length > 0) {
    const [next = 'base'] = remainingSides.splice(chance.below(remainingSides.length), 1)
    values[next] = await take(next === 'head' ? 'head' : 'base')
  }
  return values as ComparisonRound
}

/**
 * Throws FailureError `run_failed` if a metric is missing in an execution of the round, because a difference
 * needs the values of both sides.
 */
function checkRound(metrics: readonly ComparedMetric[], round: ComparisonRound): void {
  for (const part of ['base', 'control', 'head'] as const)
    for (const { name } of metrics)
      if (round[part][name] === undefined)
        throw sideError(part === 'head' ? 'head' : 'base', `an execution printed no ${name}`)
}

/**
 * Reports a round. `n` is its number among all rounds up to the next look (a test after a fixed number of
 * rounds), or among the fresh rounds that confirm a change.
 */
function tellRound(
  experiment: ExperimentWorkspace,
  { metrics }: ComparisonRules,
  round: ComparisonRound,
  { need, of }: WantedRounds,
  n: number,
): void {
  const name = metrics[0]?.name ?? ''
  const phase = need === 'rounds' ? ('pairs' as const) : ('confirmation' as const)
  experiment.tell({ kind: 'pair', phase, n, of, base: round.base[name] ?? 0, cand: round.head[name] ?? 0 })
}

/**
 * Returns the metrics in the order of the report: those that decide the verdict first, then those that are
 * only shown; and a note about names that only the head prints. `lacking` is the reason why executions are
 * not isolated, for an error. Throws FailureError if the head did not print a deciding metric, or if Anode
 * could not measure a metric such as `cpu_ms`.
 */
function chooseMetrics(
  { metrics, format }: ComparisonOrder,
  first: { base: MetricValues; head: MetricValues },
  lacking: string | undefined,
): { metrics: ComparedMetric[]; notes: string[] } {
  const printed = Object.keys(first.base).filter((name) => !isOwnMetric(name))
  const printedMetrics = format ? printed.map((name) => ({ name, direction: 'lower' as const })) : []
  const standard =
    printedMetrics.length > 0 ? printedMetrics : [{ name: 'cpu_ms', direction: 'lower' as const }]
  const deciding = metrics.length > 0 ? metrics : standard
  for (const { name } of deciding)
    if (isOwnMetric(name) && first.base[name] === undefined) throw unmeasurableError(name, lacking)
  const lost = deciding.find(({ name }) => first.head[name] === undefined)
  if (lost) throw sideError('head', `${lost.name} is missing, which base printed`)
  const extraNames = ownMetrics.filter(
    (name) => first.base[name] !== undefined && !deciding.some((one) => one.name === name),
  )
  const added = Object.keys(first.head).filter((name) => first.base[name] === undefined)
  return {
    metrics: [
      ...deciding.map((metric) => ({ ...metric, decides: true })),
      ...extraNames.map((name) => ({ name, direction: 'lower' as const, decides: false })),
    ],
    notes: added.length > 0 ? [`only head prints ${added.join(', ')}`] : [],
  }
}

const unmeasurableError = (name: string, lacking = 'unknown reason') =>
  new FailureError({
    code: 'run_failed',
    message: `${name} cannot be measured here: ${lacking}`,
    hint: 'Use the clock: --metric wall_ms',
  })
