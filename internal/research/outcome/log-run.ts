// Logging of a measured run: the rules for keeping it, its commit, its line in the ledger, and the restoring
// of rejected changes.
import { FailureError } from '../../base/errors.ts'
import { compareTrees, type GitRepository } from '../git/git-tree.ts'
import {
  type ExperimentRunStatus,
  type MeasuredRun,
  type RunLine,
  runStatuses,
} from '../ledger/experiment-run.ts'
import type { ExperimentSegment } from '../ledger/fold.ts'
import { currentTimestamp } from '../ledger/ledger-file.ts'
import { runHook } from '../run/session-hooks.ts'
import type { LoggedRun, LogOrder } from '../session.ts'
import { snapshotCheckout } from '../workspace/candidate-snapshot.ts'
import { recordBest } from '../workspace/candidate-worktree.ts'
import {
  closePendingRun,
  type ExperimentWorkspace,
  type LockedSession,
  recordEntry,
  updatePendingRun,
  withActiveSession,
} from '../workspace/experiment-workspace.ts'
import { findBrokenFile } from '../workspace/integrity-lock.ts'
import type { CandidateCheckout } from '../workspace/session-location.ts'
import { changesInScope, finishRun, pendingCheckout, proposedLine, storePatch } from './crash-recovery.ts'
import { commitKept } from './kept-commit.ts'

/** An order to log a run in which the status is set. */
type DecidedOrder = LogOrder & { status: ExperimentRunStatus }

/**
 * Logs the run and returns what was recorded. Throws FailureError if not exactly one measured run fits, if
 * the run is stale, or if a rule forbids the status; the run then remains pending.
 */
export function logRun(experiment: ExperimentWorkspace, logOrder: LogOrder): Promise<LoggedRun> {
  return withActiveSession(experiment, async (session, segment) => {
    const pending = pickRun(session, logOrder)
    const order = { ...logOrder, status: logOrder.status ?? verdictOf(pending) }
    const notes = permitStatus(segment, pending, order)
    const checkout = await pendingCheckout(session, pending)
    const moved = order.status === 'keep' && segment.best?.tree !== pending.parent
    await refuseStale(session, segment, pending, checkout, moved)
    const line = runLineOf(session, pending, order)
    if (order.commitMessage !== undefined && order.status !== 'keep')
      notes.push('commit_message is only used with status keep')
    if (order.status === 'keep' || order.status === 'baseline')
      return keepCandidate(session, { pending, order, line, checkout, notes })
    const restoring = order.restore !== false && checkout !== undefined
    const { restored, kept: keptPaths, leftAlone } = await finishRun(session, pending, line, restoring)
    notes.push(...keptPaths.map((path) => `${path} was changed meanwhile and left as it is`))
    if (!checkout) notes.push('no git: nothing was restored')
    if (leftAlone.length > 0)
      notes.push(`not the candidate's to change, left as they are: ${leftAlone.slice(0, 10).join(', ')}`)
    return finishLog(session, pending.run, { commit: null, restored, leftAlone }, notes)
  })
}

function pickRun(session: LockedSession, { run }: LogOrder): MeasuredRun {
  const measured = session.pending.filter((pending) => pending.state === 'measured')
  const matches = run === undefined ? measured : measured.filter((pending) => pending.run === run)
  if (matches.length === 1) return matches[0] as MeasuredRun
  if (matches.length > 1) {
    const open = matches.map((pending) => pending.run).join(', ')
    throw new FailureError({
      code: 'bad_args',
      message: `several runs are open: ${open}`,
      hint: 'Say which with `run`.',
    })
  }
  throw new FailureError({
    code: 'nothing_pending',
    message: 'no measured run waits to be logged',
    hint: 'Measure first with run_experiment or `anode research run`.',
  })
}

/**
 * Returns the status that the engine proposes for a run. Throws FailureError for a single sample without a
 * verdict, for which the caller has to choose.
 */
function verdictOf({ ran, gate }: MeasuredRun): ExperimentRunStatus {
  const open = gate === 'plain' && (ran.status === 'keep' || ran.status === 'discard')
  if (!open) return ran.status
  throw new FailureError({
    code: 'bad_args',
    message: 'a single sample has no verdict: say keep or discard',
    hint: 'anode research log --status keep, or --status discard.',
  })
}

/**
 * Throws FailureError if the run may not be logged with this status, or if the metric value is not a finite
 * number. Returns notices about statuses that are allowed but unusual.
 */
function permitStatus(segment: ExperimentSegment, pending: MeasuredRun, order: DecidedOrder): string[] {
  const { status, metricValue } = order
  const { ran } = pending
  const refuse = (
    code: ConstructorParameters<typeof FailureError>[0]['code'],
    message: string,
    hint: string,
  ) => new FailureError({ code, message, hint })
  if (!runStatuses.includes(status))
    throw refuse('bad_args', `status must be one of ${runStatuses.join(', ')}`, '')
  if (metricValue !== undefined && !Number.isFinite(metricValue))
    throw refuse('bad_args', 'metric_value must be a finite number', 'Leave it out to log what was measured.')
  const paired = pending.gate === 'paired'
  const notes: string[] = []
  if (status === 'baseline' && segment.baseline)
    throw refuse(
      'baseline_exists',
      'the baseline is logged already',
      'Log keep or discard, or reset the experiment for a new baseline.',
    )
  if ((status === 'keep' || status === 'discard') && !segment.baseline) {
    if (paired) throw refuse('no_baseline', 'no baseline is logged yet', 'Log this run as baseline.')
    notes.push('no_baseline: nothing to compare with is logged yet')
  }
  if (status !== 'keep' && status !== 'baseline') return notes
  if (ran.checks === 'failed' || ran.checks === 'timeout')
    throw refuse('checks_failed', `the checks of run ${pending.run} failed`, 'Log it as checks_failed.')
  if (ran.status === 'crash' || ran.status === 'checks_failed' || ran.metric === undefined)
    throw refuse(
      'failed_run_not_keepable',
      `run ${pending.run} ended ${ran.status}: ${ran.reason}`,
      'Log it as that.',
    )
  if (paired && status === 'keep') {
    const why =
      metricValue !== undefined
        ? 'its value was not measured'
        : pending.override
          ? 'it ran another command'
          : ran.status !== 'keep'
            ? `the verdict is ${ran.status} (${ran.reason})`
            : undefined
    if (why !== undefined)
      throw refuse(
        'failed_run_not_keepable',
        `run ${pending.run} cannot be kept: ${why}`,
        'Log it as discard.',
      )
  }
  if (paired && status === 'baseline' && ran.status !== 'baseline')
    throw refuse(
      'failed_run_not_keepable',
      `run ${pending.run} did not measure the baseline`,
      'Log its verdict.',
    )
  return notes
}

/**
 * Throws FailureError `stale` if the files of a run, its command, its lock, or the configuration have changed
 * since its measurement, and records this in the run. `moved` is true if the run is to be kept and the best
 * tree has changed since then.
 */
async function refuseStale(
  session: LockedSession,
  segment: ExperimentSegment,
  pending: MeasuredRun,
  checkout: CandidateCheckout | undefined,
  moved: boolean,
): Promise<void> {
  const changed: string[] = moved ? ['best'] : []
  if (pending.stale !== undefined) changed.push(pending.stale)
  if (segment.config.segment !== pending.segment) changed.push('the configuration')
  if (!pending.override && segment.command !== pending.command) changed.push('the command')
  if (segment.lock !== pending.lock) changed.push('the lock')
  if (pending.ran.lock === 'ok') {
    const file = await findBrokenFile(
      session.dir,
      segment.lock,
      checkout?.path ?? session.experiment.where.workspace,
    )
    if (file !== undefined) changed.push(`the locked file ${file}`)
  }
  const after = pending.after ?? pending.tree
  if (checkout && after !== undefined) {
    const differing = await compareTrees(
      session.repo as GitRepository,
      after,
      await snapshotCheckout(session, checkout),
    )
    const names = differing.map(({ path }) => path)
    if (names.length > 0) changed.push(`files (${names.slice(0, 5).join(', ')})`)
  }
  if (changed.length === 0) return
  const stale = [...new Set(changed)].join(', ')
  await updatePendingRun(session, { ...pending, stale })
  throw new FailureError({
    code: 'stale',
    message: `run ${pending.run} is out of date: ${stale} changed since it was measured`,
    hint: 'Measure again; the run keeps its number.',
    detail: { changed },
  })
}

function runLineOf(session: LockedSession, pending: MeasuredRun, order: DecidedOrder): RunLine {
  const line = proposedLine(session, pending)
  const { metric, status: verdict } = line
  const description = order.description ?? line.description
  const isVerdict = order.status === verdict
  const out: RunLine = {
    ...line,
    status: order.status,
    verdict: isVerdict ? undefined : verdict,
    reason: isVerdict ? line.reason : order.status === 'baseline' ? 'baseline' : 'caller',
    description,
    asi: order.asi,
    cost: order.cost,
    timestamp: currentTimestamp(),
  }
  if (pending.gate === 'plain' && order.status === 'keep') out.reason = 'single_sample'
  if (order.metricValue !== undefined) {
    out.metric = order.metricValue
    out.overridden = true
    if (metric !== undefined) out.parsed = metric
  }
  return out
}

interface KeptCandidate {
  pending: MeasuredRun
  order: DecidedOrder
  line: RunLine
  checkout: CandidateCheckout | undefined
  notes: string[]
}

/** Commits and logs a kept candidate. The baseline is logged here too, but needs no commit. */
async function keepCandidate(
  session: LockedSession,
  { pending, order, line, checkout, notes }: KeptCandidate,
): Promise<LoggedRun> {
  await storePatch(session, pending)
  let commit: string | null = null
  if (order.status === 'keep' && checkout && pending.tree !== undefined && pending.parent !== undefined) {
    const all = await compareTrees(session.repo as GitRepository, pending.parent, pending.tree)
    const changes = await changesInScope(session, all)
    commit = await commitKept(session, pending, checkout, changes, line, order.commitMessage)
    if (changes.length < all.length) notes.push('changes outside of the scope were not committed')
  }
  if (order.status === 'keep' && !checkout) notes.push('no git: nothing was committed')
  await recordEntry(session, { ...line, commit: order.status === 'keep' ? commit : undefined })
  await closePendingRun(session, pending.run)
  if (checkout?.where === 'worktree') await recordBest(checkout, pending.tree)
  return finishLog(session, pending.run, { commit, restored: [], leftAlone: [] }, notes)
}

async function finishLog(
  session: LockedSession,
  run: number,
  done: Pick<LoggedRun, 'commit' | 'restored' | 'leftAlone'>,
  notes: string[],
): Promise<LoggedRun> {
  const entry = session.ledgerFile.ledger.entries.findLast((one) => one.type === 'run' && one.run === run)
  const line = entry as unknown as LoggedRun['line']
  const { metric, status } = line
  const facts = { ANODE_EXPERIMENT: String(run), ANODE_STATUS: status }
  const value: Record<string, string> = metric === undefined ? {} : { ANODE_METRIC: String(metric) }
  const hookNotes = await runHook(session, 'after', { ...facts, ...value })
  const stopped = session.ledgerFile.folded.active?.stopped ?? false
  return { line, ...done, stopped, notes: [...notes, ...hookNotes] }
}
