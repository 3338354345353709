// Coordinator of one study: it makes the plan, has the tasks done, verifies the claims, and gets the report
// written. Its whole state is in the log, so that another process can continue.

import type { RunEnd } from '../../agent/run-end.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { timeLimit } from '../../base/time-limit.ts'
import type { RequestMeta } from '../../model/model.ts'
import { aggregatorMailbox } from '../../store/mail/scope.ts'
import {
  makeStudyEntry,
  placesOf,
  type SourceFacts,
  type StudyEntries,
  type StudyEvidence,
  type StudyHead,
} from '../log/entries.ts'
import { decideEnding } from '../log/outcome.ts'
import { currentRound } from '../log/round.ts'
import type { StudyState } from '../log/state.ts'
import { type AskPlanner, type PlanResult, planStudy } from '../plan/plan.ts'
import { aggregateReport, composeReportByRule } from '../report/aggregation.ts'
import { summarizeTable } from '../table/table-summary.ts'
import { verifyClaims } from '../verify/verification.ts'
import { fenceMaterial } from '../worker/evidence.ts'
import { emptyInbox, openMailInbox, releaseMail } from '../worker/mail-inbox.ts'
import { openTaskSession, type TaskSession } from '../worker/task-session.ts'
import type { TaskStop } from '../worker/task-stop.ts'
import { workShare } from '../worker/worker-budget.ts'
import { type CoordinatorLease, coordinatorTask, withCoordinatorLease } from './coordinator-lease.ts'
import type { CoordinatorOptions, CoordinatorRole } from './coordinator-options.ts'
import { isBroke, runningTasks, runTasks } from './task-dispatch.ts'

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
    await runStudy(lease, stopSignal)
    await lease.log.catchUp()
    return lease.log.state
  })
}

async function runStudy(lease: CoordinatorLease, stopSignal: AbortSignal): Promise<void> {
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
    const newPlan = options.plan ?? (await makePlan(lease))
    if (await halted()) return
    await write(makeStudyEntry('plan', newPlan, 'plan'))
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
  if (table) await summarizeTable(lease)
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
 * Milliseconds to wait for the workers after the user has interrupted this process. Workers that take longer
 * lose their leases later. After `anode study cancel`, the wait is as long as a lease.
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

/**
 * Records the verdicts on the claims and the facts about the sources, then writes the report on the current
 * question. No report is written if this question has no claims or already has a report, or if the study is
 * stopped before it is complete.
 */
async function finishStudy(lease: CoordinatorLease): Promise<void> {
  await writeVerdicts(lease)
  await recordSources(lease)
  const { lead, log, write } = lease
  const { journal, study } = lead
  const state = currentRound(log.state)
  if (state.report || state.claims.size === 0) return
  const newReport = isBroke(state)
    ? composeReportByRule(state, 'budget')
    : await aggregateReport(
        state,
        (opening, meta) => runAggregator(lease, opening, meta),
        await journal.mail.list({ scope: `study:${study}`, states: ['dead'] }),
      )
  if (newReport)
    await write(
      makeStudyEntry('report', newReport, state.reports === 0 ? 'report' : `report${state.reports + 1}`),
    )
}

/** Checks the claims of the current question. Claims with a verdict are not checked again. */
async function writeVerdicts({ lead, log, write }: CoordinatorLease): Promise<void> {
  const { verdicts } = await verifyClaims(currentRound(log.state), lead.read)
  const fresh = verdicts.filter(({ claim }) => !log.state.verdicts.has(claim))
  if (fresh.length === 0) return
  await write(...fresh.map((verdict) => makeStudyEntry('verdict', verdict, `verdict:${verdict.claim}`)))
}

/** Lets the model write the report. It may use the rest of the budget, but must end by the deadline. */
async function runAggregator(
  lease: CoordinatorLease,
  opening: string,
  { purpose, input }: RequestMeta,
): Promise<RunEnd> {
  const { log } = lease
  if (Date.now() >= log.state.head.deadline) return { end: 'limit', reason: 'time', text: '' }
  const session = await openRoleSession(lease, 'report', { opening, meta: { purpose, input } }, lease.check)
  const end = await session.run()
  await log.catchUp()
  switch (session.stopped?.why) {
    case 'budget':
      return { end: 'limit', reason: 'tokens', text: '' }
    case 'deadline':
      return { end: 'limit', reason: 'time', text: '' }
    default:
      return end
  }
}

/**
 * Records the facts about each cited source that has none recorded yet, such as its kind, size, title and
 * date. Records nothing if the options have no `describe`.
 */
async function recordSources({ lead, log, write }: CoordinatorLease): Promise<void> {
  const { claims, evidence, sources } = log.state
  const places = [...claims.values()].flatMap(placesOf)
  const cited = places.map((place) => evidence.get(place.evidence)?.canonical)
  const fresh = [...new Set(cited)].filter((name) => name !== undefined && !sources.has(name)) as string[]
  if (fresh.length === 0 || !lead.describe) return
  const facts = await lead.describe(fresh)
  const whole = facts.map((one) => ({ ...one, ...statedFacts(one.canonical, evidence.values()) }))
  await write(...whole.map((one) => makeStudyEntry('source', one, `source:${one.canonical}`)))
}

/**
 * Returns the title and the date that a web page stated when it was read, as far as it stated them. The page
 * is not requested again.
 */
function statedFacts(canonical: string, evidence: Iterable<StudyEvidence>): Partial<SourceFacts> {
  const pageEvidence = [...evidence].filter((one) => one.canonical === canonical)
  const title = pageEvidence.find((one) => one.title !== undefined)?.title
  const date = pageEvidence.find((one) => one.published !== undefined)?.published
  // An undefined field must not replace a known fact, so it is left out.
  return { ...(title !== undefined && { title }), ...(date !== undefined && { date }) }
}

/** Opens the conversation of a role and continues it from the log. */
async function openRoleSession(
  {
    lead: options,
    log,
    fence,
    gone: lossSignal,
    cut: cutSignal,
  }: Pick<CoordinatorLease, 'lead' | 'log' | 'fence' | 'gone' | 'cut'>,
  role: CoordinatorRole,
  prompt: { opening: string; meta: Pick<RequestMeta, 'purpose' | 'input'> },
  check: () => Promise<TaskStop | undefined>,
): Promise<TaskSession> {
  const { journal, study, model } = options
  const setup = await options.setUpRole(role, lossSignal)
  const { head, reports } = log.state
  const owner = `${fence.owner} ${fence.epoch}`
  const inbox =
    role === 'plan' ? emptyInbox : openMailInbox(journal.mail, `study:${study}`, aggregatorMailbox, owner)
  const budgetLease = {
    journal,
    study,
    fence,
    // A second report is written in a new conversation, so its task gets another name.
    task: role === 'report' && reports > 0 ? `report${reports + 1}` : role,
    share: role === 'plan' ? workShare : 1,
    cap: {},
    priced: head.budget.usd !== undefined,
    cwd: setup.ctx.cwd,
  }
  // An earlier coordinator may have died after it leased mail, so that mail is released.
  if (role !== 'plan')
    await releaseMail(journal.mail, `study:${study}`, aggregatorMailbox, log.lines, budgetLease.task)
  const { opening, meta } = prompt
  return openTaskSession(
    {
      ...setup,
      ...meta,
      model,
      budgetLease,
      opening,
      deadline: head.deadline,
      mailInbox: inbox,
      check,
      cut: cutSignal,
    },
    log.lines,
  )
}
