// Work on one task until it has ended: takes the lease, runs the session, records claims and end in one
// write, and returns the lease.

import { messageOf, UserError } from '../../base/errors.ts'
import { timeLimit } from '../../base/time-limit.ts'
import type { Model, ToolSpec } from '../../model/model.ts'
import type { Fence, Journal, StudyJob } from '../../store/journal/journal.ts'
import { StandstillError } from '../../store/journal/journal-errors.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { LeaseHeld } from '../engine/study-engine.ts'
import { makeStudyEntry, type StudyHead, type StudyTask, type TaskResult } from '../log/entries.ts'
import type { StudyState } from '../log/state.ts'
import { isLimited, isTaskOver } from '../log/task-end.ts'
import { fillRow } from '../table/fill-row.ts'
import { admitClaims, decideTaskEnd, type TaskDecision } from './final-answer-schema.ts'
import {
  attemptLimit,
  listLosses,
  listUnrecordedLosses,
  maxTaskAttempts,
  monitorLease,
} from './lost-leases.ts'
import { openMailInbox, releaseMail } from './mail-inbox.ts'
import { type ProcessPlace, runInProcess } from './process-share.ts'
import { runToDecision } from './session-outcome.ts'
import { createTaskWriter, readTaskLog, type TaskLog, type TaskWriter } from './task-log.ts'
import { buildTaskPrompt, buildWorkerPrompt, citableEvidence, readModelInput } from './task-prompt.ts'
import type { TaskSession, TaskSessionOptions } from './task-session.ts'
import { FencedError } from './task-stop.ts'
import { workShare } from './worker-budget.ts'

/** What a worker needs for all its tasks. */
export interface StudyWorkerContext {
  journal: Journal
  /** Name under which the worker takes leases: its label, or `<host>-<pid>` without one. */
  owner: string
  pid: number
  host: string
  /** Version of Anode. Undefined: it is not recorded. */
  version?: string
  leaseMs: number
  heartbeatMs: number
  /** Aborts to end the current step. Undefined: the step is finished, however long it takes. */
  cut?: AbortSignal
  /** True for a worker that serves other machines, which reads no document outside of its root. */
  isConfined?: boolean
  /** Returns the model of the study. Throws UserError if this machine does not have it. */
  model(head: StudyHead): Promise<Model>
  /** Returns the tools and the context of one task. The context has to use the passed signal. */
  setUpTask(
    head: StudyHead,
    task: StudyTask,
    signal: AbortSignal,
  ): Promise<{ tools: ListedTool[]; specs: ToolSpec[]; ctx: Ctx }>
}

/**
 * Number of leases by workers without the study's model after which a task fails instead of being returned.
 */
const maxModelRefusals = 5

/**
 * Runs until the task has an end, `stopSignal` aborts (the current step finishes), or the lease is lost.
 * Throws LeaseHeld while another worker has the lease. Any other error is recorded as a lost attempt, if
 * possible, and thrown.
 */
export async function workOnTask(
  job: StudyJob,
  worker: StudyWorkerContext,
  stopSignal: AbortSignal,
): Promise<void> {
  await runInProcess(stopSignal, (place) => claimTask(job, worker, place, stopSignal))
}

async function claimTask(
  job: StudyJob,
  worker: StudyWorkerContext,
  place: ProcessPlace,
  stopSignal: AbortSignal,
): Promise<void> {
  const { journal, owner, leaseMs } = worker
  const claimed = await journal.claim(job, owner, leaseMs)
  if (claimed.state === 'busy') throw new LeaseHeld(claimed.untilMs)
  if (claimed.state !== 'ok') return
  const fence: Fence = { task: job.task, epoch: claimed.epoch, owner }
  try {
    const isEnded = await attemptTask(job, fence, worker, place, stopSignal)
    await journal.release(job.study, job.task, owner, isEnded)
  } catch (error) {
    if (error instanceof FencedError) return
    // The server has lost the study. Nothing can be recorded before it is restored.
    if (error instanceof StandstillError) throw error
    // If the journal itself fails, the error cannot be recorded. The lease then expires.
    await recordFailure(job, fence, worker, messageOf(error)).catch(() => undefined)
    throw error
  }
}

/** Records an error that was not expected. It counts as an attempt. */
async function recordFailure(
  { study }: StudyJob,
  fence: Fence,
  { journal }: StudyWorkerContext,
  why: string,
): Promise<void> {
  const line = makeStudyEntry('task.lost', { ...fence, why }, `lost:${fence.task}:${fence.epoch}`)
  await journal.append(study, [line], fence)
  await journal.release(study, fence.task, fence.owner, false)
}

/**
 * Makes one attempt. Returns true if the task needs no more work. Throws FencedError when the lease is lost.
 */
async function attemptTask(
  { study }: StudyJob,
  fence: Fence,
  worker: StudyWorkerContext,
  place: ProcessPlace,
  stopSignal: AbortSignal,
): Promise<boolean> {
  const { journal, leaseMs, heartbeatMs } = worker
  const log = await readTaskLog(journal, study)
  const { lines, state } = log
  const taskState = state.tasks.get(fence.task)
  if (!taskState) return true
  const losses = isTaskOver(taskState)
    ? []
    : listUnrecordedLosses(taskState, fence.epoch, { tasks: state.tasks, lines })
  const writer = createTaskWriter(journal, study, fence, taskState, losses)
  const { append, finish, pass } = writer
  // A task that ended at a limit may be opened again, so this lease must not count as an attempt.
  if (isTaskOver(taskState)) return isLimited(taskState) ? pass('the task is over', true) : true
  const lost = listLosses([...lines, ...losses], fence.task)
  const attempt = lost.filter(({ free }) => free !== true).length + 1
  if (fence.epoch > 1) await releaseMail(journal.mail, `study:${study}`, fence.task, lines)
  const nothing = { claims: [], gaps: [taskState.task.objective] }
  if (attempt > attemptLimit(lost)) return finish({ end: 'failed', reason: 'lost', ...nothing, spent: none })
  if (attempt > maxTaskAttempts) await place.takeAlone({ journal, leaseMs, heartbeatMs, study, fence })

  const model = await worker.model(state.head).catch((error: unknown) => {
    if (error instanceof UserError) return error
    throw error
  })
  if (model instanceof UserError) {
    const refused = lost.filter(({ why }) => why === lacking).length + 1
    if (refused < maxModelRefusals) return pass(lacking, true)
    return finish({ end: 'failed', reason: lacking, detail: messageOf(model), ...nothing, spent: none })
  }
  const { pid, host } = worker
  await append(makeStudyEntry('task.started', { ...fence, attempt, pid, host, version: worker.version }))
  if (taskState.task.document) {
    return fillRow({ worker, known: taskState, log, fence, model, writer }, stopSignal)
  }
  const began = performance.now()
  const { decision, session } = await runTaskSession(taskState.task, log, fence, model, worker, stopSignal)
  const ms = Math.round(session.spent.ms + performance.now() - began)
  const spent = { ...session.spent, ms, steps: session.steps }
  return endAttempt(writer, decision, session, {
    task: taskState.task,
    state,
    attempt,
    spent,
    version: worker.version,
  })
}

interface FinishedAttempt {
  task: StudyTask
  state: StudyState
  attempt: number
  spent: TaskResult['spent']
  version: string | undefined
}

/** Writes the result of an attempt. Returns true if the task needs no more work. */
async function endAttempt(
  { finish, pass }: TaskWriter,
  decision: TaskDecision,
  session: TaskSession,
  { task, state, attempt, spent, version }: FinishedAttempt,
): Promise<boolean> {
  const nothing = { claims: [], gaps: [task.objective], spent }
  switch (decision.next) {
    case 'drop':
      throw new FencedError()
    case 'back':
      return pass('given back', true)
    case 'retry':
      if (attempt < maxTaskAttempts) return pass(`${decision.reason}: ${decision.detail}`, false)
      return finish({ end: 'failed', reason: decision.reason, detail: decision.detail, ...nothing })
    case 'end': {
      const { next: _, ...typed } = decision
      return finish({ ...typed, ...nothing })
    }
    case 'prose': {
      const { text, tries } = decision
      const result = { end: 'partial' as const, reason: 'unverified_answer', ...nothing }
      return finish(result, [makeStudyEntry('prose', { task: task.id, text, tries }, `prose:${task.id}`)])
    }
    case 'record': {
      const { result, claims } = closeTask(decision, task, state, session)
      return finish(
        { ...result, spent },
        claims.map((claim) => makeStudyEntry('claim', { ...claim, version }, `claim:${claim.id}`)),
      )
    }
    default:
      return finish({ end: 'failed', reason: 'bad_result', ...nothing })
  }
}

/**
 * Returns the result of the task, and the claims to record: those whose evidence was read by this task or by
 * one that it may cite. Claims without such evidence become gaps; repeated claims are left out. If a limit
 * ended the work and the worker listed no gap, the whole task is a gap.
 */
function closeTask(
  { closing, cut: cutReason, end }: Extract<TaskDecision, { next: 'record' }>,
  task: StudyTask,
  state: StudyState,
  session: TaskSession,
) {
  const citable = new Map([...citableEvidence(task, state), ...session.evidence])
  const recorded = [...state.recorded.values()].filter((claim) => claim.task === task.id)
  const { claims, ids, refused } = admitClaims(closing, task.id, citable, recorded)
  const gaps = [...closing.gaps, ...refused.map((what) => `refused, the worker has not read ${what}`)]
  const open = end !== undefined && gaps.length === 0 ? [task.objective] : gaps
  return { result: decideTaskEnd(ids, open, { cut: cutReason, end }), claims }
}

const lacking = 'model_unavailable'
const none = { tokens: 0, usd: 0, steps: 0, ms: 0 }

/** Opens the session of a task, and monitors the lease of the task until there is a decision to record. */
async function runTaskSession(
  task: StudyTask,
  { state, lines, seq }: TaskLog,
  fence: Fence,
  model: Model,
  worker: StudyWorkerContext,
  stopSignal: AbortSignal,
): Promise<{ decision: TaskDecision; session: TaskSession }> {
  const { journal } = worker
  const { head } = state
  const scope = `study:${head.id}`
  const inbox = openMailInbox(journal.mail, scope, task.id, `${fence.owner} ${fence.epoch}`)
  await journal.mail.join(scope, task.id)
  const hard = new AbortController()
  const { leaseMs, heartbeatMs } = worker
  const watched = {
    journal,
    study: head.id,
    fence,
    leaseMs,
    heartbeatMs,
    deadline: head.deadline,
    mailInbox: inbox,
    signal: stopSignal,
  }
  const watch = monitorLease({ ...watched, after: seq }, () => hard.abort(new FencedError()))
  try {
    const signal = AbortSignal.any([hard.signal, timeLimit(head.deadline - Date.now())])
    const setup = await worker.setUpTask(head, task, signal)
    const { budget } = head
    const options: TaskSessionOptions = {
      ...setup,
      model,
      budgetLease: {
        journal,
        study: head.id,
        fence,
        task: task.id,
        share: workShare,
        cap: budget.perWorkerTokens === undefined ? {} : { tokens: budget.perWorkerTokens },
        holdsClosing: true,
        priced: budget.usd !== undefined,
        cwd: setup.ctx.cwd,
      },
      system: buildWorkerPrompt(setup.specs.map(({ name }) => name)),
      opening: buildTaskPrompt(task, state),
      purpose: task.kind,
      input: await readModelInput(task, state, model, signal),
      maxSteps: head.maxSteps,
      deadline: head.deadline,
      mailInbox: inbox,
      check: () => watch.check(),
      cut: worker.cut,
    }
    return await runToDecision(options, lines)
  } finally {
    watch.close()
  }
}
