// Trial of a candidate: it measures what the judge requests until there is a verdict.
import { type GitRepository, runGit } from '../git/git-tree.ts'
import { differencesOf } from '../judge/effect.ts'
import type {
  CandidateEvidence,
  CandidateVerdict,
  JudgeRules,
  MetricSample,
  SamplePair,
} from '../judge/evidence.ts'
import { nextStep } from '../judge/judge.ts'
import { judgeRulesOf, metricMedians, sampleValuesOf } from '../judge/segment-rules.ts'
import type { RunReason, RunResult } from '../ledger/experiment-run.ts'
import { seededRandom } from '../stats/seeded-random.ts'
import { medianOf, rawChange, signFlipTest } from '../stats/statistics.ts'
import type { CandidateSnapshot } from '../workspace/candidate-snapshot.ts'
import type { ChecksResult } from './checks.ts'
import { type CandidateComparison, refuseBrokenLock } from './comparison.ts'
import { emptyResult } from './empty-result.ts'
import { activeSegment, type RunContext } from './run-context.ts'

interface GatheredEvidence extends CandidateEvidence {
  pairs: SamplePair[]
  confirmation: SamplePair[]
  alone: MetricSample[]
}

interface TrialOutcome {
  verdict: CandidateVerdict
  evidence: GatheredEvidence
  /**
   * For each pair, which side was measured first: `AB` if it was the best tree, `BA` if it was the candidate.
   */
  orders: { pairs: string[]; confirmation: string[] }
  checks: ChecksResult | undefined
}

/**
 * Runs the trial and returns its verdict with the measurements. `out` contains the changed paths that the
 * candidate may not change. Throws MeasurementStopped if an execution fails or a locked file has changed.
 */
export async function tryCandidate(
  context: RunContext,
  snapshot: CandidateSnapshot,
  comparison: CandidateComparison,
  out: string[],
): Promise<TrialOutcome> {
  const { config } = context.segment
  const rules = judgeRulesOf(config, context.pending.seed)
  const evidence = beginEvidence(context, snapshot, out)
  const orders: TrialOutcome['orders'] = { pairs: [], confirmation: [] }
  let checks: ChecksResult | undefined
  for (;;) {
    const step = nextStep(rules, evidence)
    if ('status' in step) {
      if (checks || !isOpen(step) || config.checks === undefined)
        return { verdict: await offerSimpler(context, snapshot, step), evidence, orders, checks }
      checks = await comparison.checks()
    } else if (!('count' in step)) {
      if (step.need === 'voice') evidence.voice = await comparison.voice()
      else if (step.need === 'holdout') evidence.holdout = await comparison.holdout()
      else checks = await comparison.checks()
    } else if (step.need === 'alone') evidence.alone.push(...(await comparison.alone(step.count)))
    else {
      const kind = step.need
      const done = evidence[kind].length
      const more = await comparison.pairs(kind, done, done + step.count)
      evidence[kind].push(...more.pairs)
      orders[kind].push(...more.order)
      if (kind === 'pairs') tellLook(context, rules, evidence)
    }
    if (checks) evidence.checks = checks.result
    await refuseBrokenLock(context)
  }
}

/** Returns what is known about a candidate before its first measurement. */
function beginEvidence(context: RunContext, snapshot: CandidateSnapshot, out: string[]): GatheredEvidence {
  const current = activeSegment(context.session)
  const bestRun = current.runs.find((line) => line.run === current.best?.run)
  const values = bestRun?.status === 'keep' ? (bestRun.samples?.cand ?? []) : []
  return {
    run: context.pending.run,
    unchanged: snapshot.changes.length === 0,
    baseline: current.baseline?.samples ?? [],
    best: values.map((value) => ({ value, metrics: bestRun?.metrics ?? {} })),
    alone: [],
    pairs: [],
    confirmation: [],
    carry: current.best?.carry,
    outOfScope: out,
    accepted: { implausible: context.order.acceptImplausible ?? false },
  }
}

/**
 * Returns true if the checks should still run. Failed checks are a stronger reason to reject than others, but
 * a candidate that is worse or unchanged needs no checks.
 */
function isOpen({ status, reason }: CandidateVerdict): boolean {
  return status === 'discard' && reason !== 'worse' && reason !== 'no_change'
}

async function offerSimpler(
  context: RunContext,
  snapshot: CandidateSnapshot,
  verdict: CandidateVerdict,
): Promise<CandidateVerdict> {
  const equal = verdict.reason === 'noise' || verdict.reason === 'below_min_effect'
  return equal && (await isSmaller(context, snapshot)) ? { ...verdict, offer: 'simpler' } : verdict
}

async function isSmaller({ session, segment }: RunContext, { tree }: CandidateSnapshot): Promise<boolean> {
  const args = ['diff', '--numstat', '--no-renames', segment.best?.tree as string, tree]
  let balance = 0
  for (const row of (await runGit(session.repo as GitRepository, args)).split('\n')) {
    const [added, removed] = row.split('\t').map(Number)
    if (Number.isFinite(added) && Number.isFinite(removed)) balance += (added as number) - (removed as number)
  }
  return balance < 0
}

/**
 * Reports the test of all pairs so far. The judge decides first, so that no gain is reported as undecided
 * while it is confirmed.
 */
function tellLook(context: RunContext, rules: JudgeRules, evidence: GatheredEvidence): void {
  const { pairs: samplePairs } = evidence
  const step = nextStep(rules, evidence)
  const { d, scale } = differencesOf(samplePairs, rules.direction)
  const p = signFlipTest(
    d,
    seededRandom(rules.seed, `run ${context.pending.run}/look ${samplePairs.length}/test`),
  )
  const median_pct = rawChange(medianOf(d), scale, rules.direction)
  const next = 'count' in step && step.need === 'pairs' ? samplePairs.length + step.count : 0
  context.session.experiment.tell({ kind: 'look', pairs: samplePairs.length, median_pct, p, next })
}

/** Returns the result of a trial as displayed and stored. */
export function trialResult(
  context: RunContext,
  snapshot: CandidateSnapshot,
  { verdict, evidence, orders, checks }: TrialOutcome,
): RunResult {
  const { pairs, alone, confirmation, holdout } = evidence
  const candSamples = pairs.length > 0 ? pairs.map(({ cand }) => cand) : alone
  const samples =
    pairs.length > 0
      ? sampleValuesOf(pairs, orders.pairs)
      : { base: [], cand: alone.map(({ value }) => value) }
  const floor = activeSegment(context.session).baseline?.floor_pct
  // The measurement of another command proves nothing about the configured command, so such a candidate
  // is not kept.
  const overridden = context.override && verdict.status === 'keep'
  return {
    ...emptyResult(context, snapshot),
    status: overridden ? 'discard' : verdict.status,
    reason: overridden ? 'override' : (verdict.reason satisfies RunReason),
    metric: candSamples.length > 0 ? medianOf(candSamples.map(({ value }) => value)) : undefined,
    samples: candSamples.length > 0 ? samples : undefined,
    metrics: metricMedians(candSamples, medianOf),
    confirmation: confirmation.length > 0 ? sampleValuesOf(confirmation, orders.confirmation) : undefined,
    effect: verdict.effect,
    guards: verdict.guards,
    offer: verdict.offer,
    detail: verdict.detail,
    noise: floor === undefined ? undefined : { floor_pct: floor },
    checks: checks?.result,
    checksOutput: checks?.output,
    holdout,
    notes: snapshot.changes.length === 0 ? ['no_change: the tree equals best'] : [],
  }
}
