// The paired gate: the procedure that measures the best tree and the candidate in turn until the judge
// has a verdict.

import { countNoun } from '../../base/text/count-noun.ts'
import { gitMachineryHash } from '../git/git-state.ts'
import type { GitRepository } from '../git/git-tree.ts'
import { needsGitError } from '../git/session-refs.ts'
import { implausibleNote, lockNotes, speaksNote } from '../judge/verdict-notes.ts'
import type { RunResult } from '../ledger/experiment-run.ts'
import { ranOtherCommand } from '../ledger/run-line.ts'
import { tailText } from '../measure/benchmark-execution.ts'
import { closedNotes, describeClosed } from '../measure/closed-places.ts'
import { measureDrift } from '../measure/drift.ts'
import { describeIsolation } from '../measure/isolation/isolation.ts'
import {
  type FailedExecution,
  lockViolation,
  MeasurementStopped,
  type MeasurementTrace,
} from '../measure/measurement-stopped.ts'
import { type CandidateSnapshot, findOutOfBounds } from '../workspace/candidate-snapshot.ts'
import { measureBaseline } from './baseline.ts'
import { openComparison, refuseBrokenLock, refuseChangedContentRules } from './comparison.ts'
import { emptyResult } from './empty-result.ts'
import { markMeasured, type RunContext, storeOutput } from './run-context.ts'
import { trialResult, tryCandidate } from './trial.ts'

/**
 * Runs the gate and returns the result. Unless it was interrupted, the run is then recorded as measured and
 * stays pending until it is logged. Throws FailureError `needs_git` without a repository.
 */
export async function runPairedGate(context: RunContext): Promise<RunResult> {
  const { session, segment, snapshot, pending } = context
  if (!snapshot) throw needsGitError('a measurement of repeated pairs')
  const first = segment.baseline === undefined
  const trace: MeasurementTrace = { leaked: 0, ms: 0 }
  const slot = reserveSlots(session.slots)
  const ran = await (first
    ? measureBaseline(context, snapshot, trace)
    : measureCandidate(context, snapshot, trace, slot)
  )
    .catch((error: unknown) => {
      if (!(error instanceof MeasurementStopped)) throw error
      return toStoppedResult(context, snapshot, error.failed, trace)
    })
    .finally(() => session.slots.delete(slot))
  const last = trace.last
  const { env } = session.experiment.options
  await storeOutput(session, pending.run, last, {
    names: ['PATH', ...segment.config.env].filter((name) => env[name]),
  })
  const result: RunResult = {
    ...ran,
    leaked: trace.leaked,
    ms: trace.ms,
    output: last ? tailText(last.outcome.combined.text, 10, 4096) : '',
  }
  result.isolation = describeIsolation(await session.isolation(segment.config))
  if (result.reason === 'lock_violation' && result.detail !== undefined)
    result.notes = [...result.notes, ...lockNotes(segment, result.detail)]
  if (/^(exit |build$|checks$)/.test(result.reason))
    result.notes = [...result.notes, await describeClosed(session, segment.config)]
  else result.notes = [...result.notes, ...closedNotes(session)]
  if (result.reason === 'speaks') result.notes = [...result.notes, speaksNote(result.detail)]
  if (result.reason === 'implausible') result.notes = [...result.notes, implausibleNote(segment)]
  if (trace.leaked > 0)
    result.notes = [
      ...result.notes,
      `leaked: ${countNoun(trace.leaked, 'background process was', 'background processes were')} ended`,
    ]
  if (ran.reason !== 'interrupted') await markMeasured(session, pending, result, {})
  return result
}

/**
 * Reserves two neighboring numbers for the checkouts of the best tree and of the candidate and returns the
 * first one. Only numbers from 2 are used; 0 and 1 are for the baseline and for commands other than runs.
 */
function reserveSlots(slots: Set<number>): number {
  let slot = 2
  while (slots.has(slot)) slot += 2
  slots.add(slot)
  return slot
}

function toStoppedResult(
  context: RunContext,
  snapshot: CandidateSnapshot,
  failed: FailedExecution,
  trace: MeasurementTrace,
): RunResult {
  if (failed.executed) trace.last = failed.executed
  const detail = [
    failed.arm === 'base' && context.segment.baseline ? 'best' : '',
    failed.detail ?? '',
  ].filter(Boolean)
  return {
    ...emptyResult(context, snapshot),
    status: 'crash',
    reason: failed.reason,
    lock: failed.reason === 'lock_violation' ? 'violated' : 'ok',
    detail: detail.length > 0 ? detail.join(': ') : undefined,
  }
}

async function measureCandidate(
  context: RunContext,
  snapshot: CandidateSnapshot,
  trace: MeasurementTrace,
  slot: number,
): Promise<RunResult> {
  const { session, segment, order } = context
  await refuseBrokenLock(context)
  await refuseChangedContentRules(session, segment.lock)
  if (order.conflict !== undefined)
    return {
      ...emptyResult(context, snapshot),
      status: 'discard',
      reason: 'conflict',
      detail: order.conflict,
      changed: [],
    }
  const out = await findOutOfBounds(session, segment, snapshot.changes)
  const { repository } = session.experiment.where
  const machinery = repository && (await gitMachineryHash(session.repo as GitRepository, repository))
  const earlier = findEarlierResult(context, snapshot)
  if (earlier) return earlier
  const comparison = openComparison(context, snapshot.tree, trace, slot)
  const drift =
    out.length > 0 || snapshot.changes.length === 0
      ? undefined
      : await measureDrift(context, comparison.base, trace)
  const tried = await tryCandidate(context, snapshot, comparison, out)
  if (repository && machinery !== (await gitMachineryHash(session.repo as GitRepository, repository)))
    throw lockViolation('.git (configuration, hooks, refs)')
  return { ...trialResult(context, snapshot, tried), drift, outside: out }
}

/**
 * Returns the result of an earlier run of the same tree against the same best tree whose measurement showed
 * no gain. Measuring it again would let chance decide. Returns undefined if there was no such run.
 */
function findEarlierResult(context: RunContext, snapshot: CandidateSnapshot): RunResult | undefined {
  const { segment } = context
  const settled = ['worse', 'noise', 'below_min_effect', 'not_confirmed']
  const before = segment.runs.find(
    (line) =>
      line.tree === snapshot.tree &&
      line.parent === segment.best?.tree &&
      line.lock === 'ok' &&
      !ranOtherCommand(line) &&
      settled.includes(line.reason),
  )
  if (!before || snapshot.changes.length === 0) return undefined
  const { metric, samples: values, effect } = before
  return {
    ...emptyResult(context, snapshot),
    status: 'discard',
    reason: before.reason,
    metric,
    metrics: before.metrics,
    samples: values,
    effect,
    detail: `the same tree as run ${before.run}, whose verdict still applies`,
    notes: [`not measured: the same tree as run ${before.run}`],
  }
}
