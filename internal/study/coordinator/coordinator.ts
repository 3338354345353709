// Coordinator of one study: it makes the plan, has the tasks done, and gets the report written. Its whole
// state is in the log, so that another process can continue.
import { countNoun } from '../../base/text/count-noun.ts'
import { timeLimit } from '../../base/time-limit.ts'
import { aggregatorMailbox } from '../../store/mail/scope.ts'
import { makeStudyEntry, type StudyEntries, type StudyHead } from '../log/entries.ts'
import { decideEnding } from '../log/outcome.ts'
import type { StudyState } from '../log/state.ts'
import { type AskPlanner, type PlanResult, planStudy } from '../plan/plan.ts'
import { fenceMaterial } from '../worker/evidence.ts'
import { type CoordinatorLease, coordinatorTask, withCoordinatorLease } from './coordinator-lease.ts'
import type { CoordinatorOptions } from './coordinator-options.ts'
import { finishStudy } from './final-report.ts'
import { openRoleSession } from './role-session.ts'
import { isBroke, runningTasks } from './schedule.ts'
import { runTasks } from './task-dispatch.ts'

/**
 * Leads the study and returns its final state. If `stopSignal` aborts, returns the state from which it can be
 * resumed. Throws UserError (exit 1) while another process leads the study, and FencedError when another
 * process has taken over.
 */
export async function coordinateStudy(
  options: CoordinatorOptions,
  stopSignal: AbortSignal,
): Promise<StudyState> {
  return withCoordinatorLease(options, stopSignal, async (lease) => {
    await run(lease, stopSignal)
    await lease.log.catchUp()
    return lease.log.state
  })
}

async function run(lease: CoordinatorLease, stopSignal: AbortSignal): Promise<void> {
  const { lead: options, log, write } = lease
  const { journal, engine, study, pid, host } = options
  const { state } = log
  const status = (data: StudyEntries['status']) => write(makeStudyEntry('status', data))
  const halted = async () => {
    if (!stopSignal.aborted) return state.status === 'cancelled'
    if (state.status !== 'cancelled') await status({ status: 'paused', reason: 'interrupted' })
    return true
  }

  const opened = await options.begin?.(state)
  if (opened) await write(...opened)
  await status({ status: state.plan ? 'running' : 'planning', pid, host })
  if (!state.plan) {
    const made = options.plan ?? (await makePlan(lease))
    if (await halted()) return
    await write(makeStudyEntry('plan', made, 'plan'))
    await status({ status: 'running', pid, host })
  }
  const { table } = state.head
  if (!table) await journal.mail.join(`study:${study}`, aggregatorMailbox)
  await runTasks(lease)
  if (await halted()) {
    await engine.cancel(study)
    await settleDown(lease, stopSignal.aborted ? settleMs : options.leaseMs)
    return
  }
  if (table) await (await import('../table/table-summary.ts')).summarizeTable(lease)
  else await finishStudy(lease)
  if (await halted()) return
  await status(decideEnding(state))
}

/** Reason of a forced cancellation, which does not wait for workers. */
export const forcedReason = 'forced'

/**
 * Returns the first message to the model that makes the plan. `map` is an overview of the source files;
 * empty without any.
 */
export const buildPlannerPrompt = (
  { question, workers, sources }: Pick<StudyHead, 'question' | 'workers' | 'sources'>,
  map = '',
): string =>
  [
    `Question: ${question}`,
    `At most ${countNoun(workers, 'task')}. Sources: ${sources.join(', ')}.`,
    ...(map === '' ? [] : [fenceMaterial('the map of the sources', map, [])]),
  ].join('\n\n')

async function makePlan(lease: CoordinatorLease): Promise<PlanResult> {
  const { lead: options, log } = lease
  const { head } = log.state
  const frame = { question: head.question, workers: head.workers, sources: head.sources }
  const { frequency, map } = options
  const ask: AskPlanner = async (note) => {
    const input = { question: head.question, workers: head.workers, corpus: { frequency } }
    const opening = buildPlannerPrompt(head, map)
    const session = await openRoleSession(
      lease,
      'plan',
      { opening, meta: { purpose: 'plan', input } },
      lease.check,
    )
    const end = await (note === undefined ? session.run() : session.askAgain(note))
    await log.catchUp()
    if (session.stopped) return { failed: session.stopped.why, quiet: session.stopped.why === 'cancelled' }
    if (end.end !== 'failed') return { text: end.text }
    // A script, which has prepared responses instead of a model, may have none for the planner. That causes
    // no notice, because the script may be meant only for workers.
    return { failed: `${end.reason}: ${end.message}`, quiet: end.reason === 'script_exhausted' }
  }
  const isByRules = options.model.kind === 'rules'
  return planStudy(frame, { frequency, ask: isBroke(log.state) ? undefined : ask, isByRules })
}

/**
 * Milliseconds to wait for the workers after the user has stopped the study. Workers that take longer lose
 * their leases later.
 */
const settleMs = 1_000

/**
 * Milliseconds between checks of the leases during this wait, because a worker returns its lease shortly
 * after its last line.
 */
const settlePollMs = 40

/**
 * After a stop, waits until the workers have finished their steps and returned their tasks, at most `ms`, or
 * until the user forces the stop.
 */
async function settleDown({ lead: { journal, study }, log }: CoordinatorLease, ms: number): Promise<void> {
  const { state } = log
  const until = Date.now() + ms
  while (Date.now() < until && state.reason !== forcedReason && runningTasks(state).length > 0) {
    const leases = await journal.leases(study)
    if (leases.every(({ task }) => task === coordinatorTask)) break
    await journal.wait(study, state.seq, settlePollMs, timeLimit(settlePollMs))
    await log.catchUp()
  }
}
