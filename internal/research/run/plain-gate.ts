// The plain gate: the procedure that executes the benchmark once in the current workspace and gives advice
// instead of a verdict.

import { FailureError } from '../../base/errors.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { commandEnvironment } from '../../process/child-environment.ts'
import { compareTrees, type GitRepository } from '../git/git-tree.ts'
import { adviseOnSample } from '../judge/baseline-rules.ts'
import type { MetricSample } from '../judge/evidence.ts'
import { expectedMetrics, samplingMethodOf } from '../judge/segment-rules.ts'
import { lockNotes } from '../judge/verdict-notes.ts'
import type { CandidatePaths, RunResult } from '../ledger/experiment-run.ts'
import type { ExperimentSegment } from '../ledger/fold.ts'
import type { SegmentSettings } from '../ledger/ledger-entry.ts'
import {
  type BenchmarkExecution,
  type ExecutionStage,
  runBenchmark,
  tailText,
} from '../measure/benchmark-execution.ts'
import { warnOfHostChanges } from '../measure/host-check.ts'
import { type CandidateSnapshot, findOutOfBounds, snapshotCheckout } from '../workspace/candidate-snapshot.ts'
import { withTimingLock } from '../workspace/experiment-workspace.ts'
import { findBrokenFile } from '../workspace/integrity-lock.ts'
import { type ChecksResult, runChecks } from './checks.ts'
import { emptyResult } from './empty-result.ts'
import { markMeasured, type RunContext, storeOutput } from './run-context.ts'

/**
 * Runs the gate and returns the result. The run stays pending until it is logged. Throws FailureError
 * `interrupted` if the signal ends the execution.
 */
export async function runPlainGate(context: RunContext): Promise<RunResult> {
  const { session, segment, checkout, snapshot } = context
  const { experiment } = session
  const notes = warnOfHostChanges(experiment, segment.config).map((text) => `host_changed: ${text}`)
  const env = commandEnvironment(experiment.options.env, segment.config.env)
  const execution = await executePlainly(context, env)
  const { executed } = execution
  const after = checkout && snapshot ? await snapshotCheckout(session, checkout) : undefined
  const produced =
    after && snapshot ? await compareTrees(session.repo as GitRepository, snapshot.checkoutTree, after) : []
  const outside = snapshot ? await findOutOfBounds(session, segment, snapshot.changes) : []
  await storeOutput(session, context.pending.run, executed, { names: Object.keys(env).sort() })
  if (executed?.reason === 'interrupted')
    throw new FailureError({ code: 'interrupted', message: 'interrupted' })
  const ran = plainResult(context, execution, { outside, produced: produced.map(({ path }) => path) })
  ran.notes.unshift(...notes)
  await markMeasured(session, context.pending, ran, { after })
  return ran
}

interface PlainExecution {
  /** The execution; undefined if a locked file had changed before it. */
  executed: BenchmarkExecution | undefined
  checks: ChecksResult | undefined
  /** The first locked file that was found changed, before the execution or after it and the checks. */
  violated: string | undefined
}

async function executePlainly(
  context: RunContext,
  env: Readonly<Record<string, string>>,
): Promise<PlainExecution> {
  const { session, segment, order, command, checkout } = context
  const { config } = segment
  const { options, where } = session.experiment
  const root = checkout?.path ?? where.workspace
  const stage: ExecutionStage = { run: options.run, cwd: root, env, signal: options.signal }
  const expected = context.override ? undefined : expectedMetrics(segment)
  const method = samplingMethodOf(config, command, order.timeoutMs, expected)
  const broken = await findBrokenFile(session.dir, segment.lock, root)
  if (broken !== undefined) return { executed: undefined, checks: undefined, violated: broken }
  const executed = await withTimingLock(session.experiment, 'run', () => runBenchmark(stage, method))
  const checks =
    executed.sample && config.checks !== undefined
      ? await runChecks(context, stage, config.checks, sizesOf(executed.sample, config))
      : undefined
  return { executed, checks, violated: await findBrokenFile(session.dir, segment.lock, root) }
}

/**
 * Returns all metrics of a sample, which include the sizes that the checks must not enlarge. Undefined
 * without measured files.
 */
const sizesOf = ({ value, metrics }: MetricSample, { files, metricName }: SegmentSettings) =>
  files && { ...metrics, [metricName]: value }

function plainResult(
  context: RunContext,
  { executed, checks, violated }: PlainExecution,
  { outside, produced }: Pick<CandidatePaths, 'outside' | 'produced'>,
): RunResult {
  const { segment, snapshot } = context
  const ran: RunResult = {
    ...emptyResult(context, snapshot),
    ...statusOf(segment, executed, checks, violated),
    metrics: executed?.sample?.metrics ?? {},
    metric: executed?.sample ? executed.sample.value : undefined,
    checks: checks?.result,
    checksOutput: checks?.output,
    lock: violated === undefined ? 'ok' : 'violated',
    isolation: 'not isolated: with one sample of each run, the command runs in the workspace itself',
    produced,
    outside,
    leaked: executed?.leaked ?? 0,
    output: executed ? tailText(executed.outcome.combined.text, 10, 4096) : '',
    ms: executed?.ms ?? 0,
    notes: [
      ...(violated === undefined ? [] : lockNotes(segment, violated)),
      ...collectNotes(segment, snapshot, executed, outside),
    ],
  }
  const advice = adviceOf(segment, ran)
  if (
    advice !== undefined &&
    ran.status !== 'baseline' &&
    ran.metric !== undefined &&
    ran.checks !== 'failed'
  ) {
    ran.advice = advice
    if (ran.status === 'discard' && advice === 'better') ran.status = 'keep'
  }
  return ran
}

function statusOf(
  segment: ExperimentSegment,
  executed: BenchmarkExecution | undefined,
  checks: ChecksResult | undefined,
  violated: string | undefined,
): Pick<RunResult, 'status' | 'reason' | 'detail'> {
  if (violated !== undefined) return { status: 'crash', reason: 'lock_violation', detail: violated }
  if (!executed?.sample) {
    const detail = executed?.detail
    return { status: 'crash', reason: executed?.reason ?? 'no_metric', detail }
  }
  if (checks && checks.result !== 'ok')
    return { status: 'checks_failed', reason: checks.result === 'timeout' ? 'timeout' : 'checks' }
  if (!segment.baseline) return { status: 'baseline', reason: 'baseline' }
  return { status: 'discard', reason: 'single_sample' }
}

function adviceOf(segment: ExperimentSegment, { metric, override }: RunResult): RunResult['advice'] {
  const { baseline, best, runs, config } = segment
  if (!baseline || best?.value === undefined || metric === undefined || override) return undefined
  const repeats = runs.filter(
    ({ tree, status, overridden, metric: value }) =>
      status !== 'baseline' &&
      tree !== undefined &&
      tree === baseline.tree &&
      !overridden &&
      value !== undefined,
  )
  const values = [
    ...baseline.samples.map(({ value }) => value),
    ...repeats.map(({ metric: value }) => value as number),
  ]
  return adviseOnSample(values, best.value, metric, config.bestDirection)
}

function collectNotes(
  segment: ExperimentSegment,
  snapshot: CandidateSnapshot | undefined,
  executed: BenchmarkExecution | undefined,
  outside: readonly string[],
): string[] {
  const notes: string[] = []
  if (snapshot && snapshot.changes.length === 0 && segment.baseline)
    notes.push('no_change: the tree equals best')
  if (outside.length > 0) notes.push(`outside of the scope: ${outside.slice(0, 10).join(', ')}`)
  if (executed && executed.leaked > 0)
    notes.push(
      `leaked: ${countNoun(executed.leaked, 'background process was', 'background processes were')} ended`,
    )
  for (const line of executed?.refused.slice(0, 3) ?? []) notes.push(`not a metric: ${line}`)
  if (!snapshot) notes.push('no git: nothing is committed or restored')
  return notes
}
