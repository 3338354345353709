// Start of a run: it is rejected, or it gets a number, its files are recorded, and the gate measures it.
import { FailureError } from '../../base/errors.ts'
import type { ExperimentRun, RunResult } from '../ledger/experiment-run.ts'
import type { ExperimentSegment } from '../ledger/fold.ts'
import { currentTimestamp } from '../ledger/ledger-file.ts'
import { writePendingRuns } from '../ledger/pending-runs.ts'
import { logInterrupted } from '../outcome/crash-recovery.ts'
import type { RunOrder } from '../session.ts'
import {
  adoptCommits,
  type CandidateSnapshot,
  snapshotCandidate,
  workspaceCheckout,
} from '../workspace/candidate-snapshot.ts'
import { worktreeAt } from '../workspace/candidate-worktree.ts'
import {
  closePendingRun,
  type ExperimentWorkspace,
  type LockedSession,
  nextRunNumber,
  processMark,
  queueRecordWrite,
  recordEntry,
  withActiveSession,
} from '../workspace/experiment-workspace.ts'
import { sealSegment } from '../workspace/integrity-lock.ts'
import { runPairedGate } from './paired-gate.ts'
import { runPlainGate } from './plain-gate.ts'
import { activeSegment, type RunContext } from './run-context.ts'
import { runHook } from './session-hooks.ts'

/**
 * Measures a run and returns its result, which stays pending until it is logged. Throws FailureError
 * with a code such as `no_session`, `run_pending`, `max_runs_reached`, `no_command`, `needs_git`,
 * `not_found` or `interrupted`.
 */
export function measureRun(experiment: ExperimentWorkspace, order: RunOrder = {}): Promise<RunResult> {
  return withActiveSession(experiment, async (session, segment) => {
    refuseBlockedRun(session, segment, order)
    const command = await commandFor(session, segment, order)
    const checkout =
      order.candidate === undefined ? workspaceCheckout(session) : await worktreeAt(session, order.candidate)
    const hookNotes = await runHook(session, 'before', { ANODE_EXPERIMENT: String(nextRunNumber(session)) })
    if (checkout?.where === 'workspace') await adoptCommits(session, segment)
    const current = activeSegment(session)
    const paired = current.config.gate.kind === 'paired'
    experiment.tell({ kind: 'phase', phase: 'snapshot' })
    const best = current.best?.tree
    // The state of the files is taken before anything is recorded, so that an interrupted run can
    // always be reverted.
    const snapshot =
      checkout && best !== undefined ? await snapshotCandidate(session, current, checkout, best) : undefined
    const baseContext = { session, segment: current, order, ...command, checkout, snapshot }
    const pending = await claimRun(baseContext)
    const context: RunContext = { ...baseContext, pending }
    try {
      const ran = await (paired ? runPairedGate : runPlainGate)(context)
      if (ran.reason === 'interrupted')
        throw new FailureError({ code: 'interrupted', message: 'interrupted' })
      experiment.tell({ kind: 'verdict', run: ran.run, status: ran.status, reason: ran.reason })
      return { ...ran, notes: [...ran.notes, ...describeLeftOut(snapshot), ...hookNotes] }
    } catch (error) {
      await closeUnfinished(session, pending.run, experiment.options.signal.aborted)
      throw error
    }
  })
}

function describeLeftOut({ leftOut = [] }: Partial<CandidateSnapshot> = {}): string[] {
  const names = leftOut.slice(0, 10).join(', ')
  return leftOut.length === 0 ? [] : [`not part of the candidate, because it was there before: ${names}`]
}

/**
 * Settles a run whose measurement did not finish. An interrupted run is logged; a run that failed for another
 * reason leaves no open run.
 */
async function closeUnfinished(session: LockedSession, run: number, aborted: boolean): Promise<void> {
  const open = session.pending.find((pending) => pending.run === run)
  if (open?.state !== 'running') return
  if (aborted) await logInterrupted(session, open)
  else await closePendingRun(session, run)
}

function refuseBlockedRun(session: LockedSession, segment: ExperimentSegment, order: RunOrder): void {
  if (segment.stopped) {
    throw new FailureError({
      code: 'max_runs_reached',
      message: `all ${segment.config.maxRuns} runs of ${segment.config.name} are logged`,
      hint:
        'Measure the result with `anode research final`, or reset the experiment with `anode ' +
        'research init --reset`.',
    })
  }
  const inTheWay = session.pending.filter(
    ({ candidate, stale }) => stale === undefined && (!order.parallel || candidate === order.candidate),
  )
  const [open] = inTheWay
  if (!open) return
  const ran = open.state === 'running' ? undefined : open.ran
  const value = ran?.metric === undefined ? ran?.reason : `${ran.metricName} ${ran.metric}`
  throw new FailureError({
    code: 'run_pending',
    message: `run ${open.run} is measured (${value ?? open.state}) and not logged`,
    hint: 'Log it first with log_experiment or `anode research log`.',
    detail: { run: open.run, status: ran?.status, metric: ran?.metric },
  })
}

async function commandFor(
  session: LockedSession,
  segment: ExperimentSegment,
  order: RunOrder,
): Promise<{ command: string; override: boolean }> {
  const requested = order.command?.trim() ? order.command : undefined
  if (segment.command !== undefined)
    return {
      command: requested ?? segment.command,
      override: requested !== undefined && requested !== segment.command,
    }
  if (requested === undefined) {
    throw new FailureError({
      code: 'no_command',
      message: 'no benchmark command is configured',
      hint: 'Give `command`; it becomes the configured one.',
    })
  }
  const { config } = segment
  const lock = await sealSegment(session, config, requested)
  await recordEntry(session, {
    type: 'command',
    segment: config.segment,
    command: requested,
    lock,
    timestamp: currentTimestamp(),
  })
  return { command: requested, override: false }
}

/**
 * Records the start of the run before the benchmark is executed, and returns the open run. The run gets a new
 * number. If the same candidate has a stale run (something changed after its measurement), the new run
 * replaces it and has its number.
 */
function claimRun({
  session,
  segment,
  order,
  command,
  override,
  checkout,
  snapshot,
}: Omit<RunContext, 'pending'>): Promise<ExperimentRun> {
  return queueRecordWrite(session, async () => {
    const rest = session.pending.filter(
      ({ stale, candidate }) => stale === undefined || candidate !== order.candidate,
    )
    const reused = session.pending.find((pending) => !rest.includes(pending))
    const { kind } = segment.config.gate
    const best = segment.best?.tree
    // The first run under the paired gate measures the baseline. The current files of the checkout
    // do not matter.
    const tree = kind === 'paired' && !segment.baseline ? best : snapshot?.tree
    const pending: ExperimentRun = {
      run: reused?.run ?? nextRunNumber(session),
      segment: segment.config.segment,
      state: 'running',
      ...processMark(),
      started: currentTimestamp(),
      gate: kind,
      where: checkout?.where ?? 'workspace',
      candidate: order.candidate,
      command,
      override,
      lock: segment.lock,
      parent: best,
      tree,
      after: snapshot?.checkoutTree,
      head: snapshot?.head,
      description: order.description,
      seed: order.seed ?? segment.config.seed,
    }
    await writePendingRuns(session.dir, [...rest, pending])
    session.pending = [...rest, pending]
    return pending
  })
}
