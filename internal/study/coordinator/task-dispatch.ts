// Distribution of a study's tasks to workers: which tasks may start, lost workers, second attempts, and the
// end at the deadline.
import { countNoun } from '../../base/text/count-noun.ts'
import { makeStudyEntry, type StudyEntries, type StudyTask, type TaskResult } from '../log/entries.ts'
import { currentRound } from '../log/round.ts'
import type { StudyState } from '../log/state.ts'
import { endKey, isLimited, isTaskOver, type TaskState } from '../log/task-end.ts'
import { attemptLimit, makeLossEntry } from '../worker/lost-leases.ts'
import { releaseMail } from '../worker/mail-inbox.ts'
import type { CoordinatorLease } from './coordinator-lease.ts'

/** Milliseconds between checks of the leases, unless the engine has another value. */
const defaultPollMs = 400

/**
 * Milliseconds to wait after the deadline for steps that are running. Each worker also ends its step at the
 * deadline by itself.
 */
const graceMs = 15_000

/**
 * Maximum number of jobs in the queue, taken ones included: two for each of the 256 slots that a study can
 * have. With a limit, a table of many rows starts and stops quickly.
 */
const maxQueued = 512

/**
 * Passes all tasks to workers. Returns when all tasks are over or the study is stopped. If the budget is
 * zero, no task is started.
 */
export async function runTasks(lease: CoordinatorLease): Promise<void> {
  const { lead: options, log, halt } = lease
  const { journal, study } = options
  const { state } = log
  const handed = new Map<string, number>()
  const { leasePollMs = defaultPollMs } = options.engine
  if (isBroke(state)) await skipOpen(lease, 'budget')
  let lastPollMs = 0
  let ends = log.ended.length
  while (!areTasksOver(state)) {
    const stop = await lease.check()
    if (stop?.why === 'deadline') await runOut(lease)
    else if (stop) return
    else {
      if (options.model.kind === 'llm') await adaptTasks(lease, log.ended.slice(ends))
      ends = log.ended.length
      await handOut(lease, handed)
    }
    if (performance.now() - lastPollMs > leasePollMs) {
      lastPollMs = performance.now()
      await options.tend(state)
      await findLost(lease)
    }
    if (!areTasksOver(state)) await journal.wait(study, state.seq, leasePollMs, halt)
    await log.catchUp()
  }
}

/**
 * Puts a job into the queue for each ready task that has no job for its current attempt (epoch) yet, up
 * to `maxQueued` jobs.
 */
async function handOut({ lead: options, log }: CoordinatorLease, handed: Map<string, number>): Promise<void> {
  const { journal, engine, study } = options
  const { tasks } = log.state
  let room = maxQueued - [...handed.keys()].filter((id) => !isTaskOver(tasks.get(id))).length
  for (const { task, epoch } of readyTasks(log.state)) {
    if (handed.get(task.id) === epoch) continue
    // a task that was in the queue before and lost its worker is counted already
    if (!handed.has(task.id) && room-- <= 0) continue
    const job = { study, task: task.id, epoch }
    await journal.enqueued(job)
    await engine.enqueue(job)
    handed.set(task.id, epoch)
  }
}

/**
 * Adds a second attempt at the gaps of a stalled task. Drops the open tasks once they would add little. For a
 * table, only drops the open rows once the budget of the whole study is used up.
 */
async function adaptTasks(lease: CoordinatorLease, endedIds: readonly string[]): Promise<void> {
  const { log, write } = lease
  const { head, tasks } = log.state
  if (head.table) {
    const isUsedUp = endedIds.some((id) => tasks.get(id)?.result?.end === 'budget')
    if (isUsedUp && head.budget.perWorkerTokens === undefined) await skipOpen(lease, 'budget')
    return
  }
  for (const id of endedIds) {
    const more = replanTask(log.state, id)
    if (more) await write(makeStudyEntry('task.added', { task: more, why: `${id} stalled`, of: id }))
  }
  if (isCovered(currentRound(log.state), log.ended)) await skipOpen(lease, 'covered')
}

async function skipOpen(
  lease: CoordinatorLease,
  reason: StudyEntries['task.not_run']['reason'],
): Promise<void> {
  for (const taskState of openTasks(lease.log.state)) {
    const task = taskState.task.id
    const written = await lease.write(makeStudyEntry('task.not_run', { task, reason }, endKey(taskState)))
    if (written && !isLimited({ notRun: reason })) await closeTask(lease, task)
  }
}

/**
 * Ends the tasks after the deadline: no task starts any more, and tasks that still run 15 seconds later end
 * as timed out.
 */
async function runOut(lease: CoordinatorLease): Promise<void> {
  const { lead: options, log } = lease
  const { state } = log
  await options.engine.cancel(options.study)
  await skipOpen(lease, 'deadline')
  if (Date.now() < state.head.deadline + graceMs) return
  for (const taskState of runningTasks(state)) {
    await endTask(lease, taskState, {
      ...makeEmptyResult(taskState.task.objective),
      end: 'timed_out',
      reason: 'deadline',
    })
  }
}

/**
 * Finds tasks whose worker has ended without a result. They are opened again under a higher epoch, or fail
 * after the last attempt.
 */
async function findLost(lease: CoordinatorLease): Promise<void> {
  const { lead: options, log, write } = lease
  const { journal, study } = options
  // A worker takes its lease before it writes its start, and returns the lease after it has written the end.
  // So the log is read before and after the leases.
  const before = new Map(runningTasks(log.state).map(({ task, epoch }) => [task.id, epoch]))
  if (before.size === 0) return
  const leases = await journal.leases(study)
  await log.catchUp()
  for (const taskState of lostTasks(log.state, leases)) {
    const { task, epoch, owner = '', attempts: tried } = taskState
    if (before.get(task.id) !== epoch) continue
    const free = taskState.inherited === true
    // If the entry exists already, the worker that took the task meanwhile has written it.
    const loss = makeLossEntry(taskState, epoch, log.state.tasks)
    if (!(await write(loss))) continue
    await journal.release(study, task.id, owner, false)
    await releaseMail(journal.mail, `study:${study}`, task.id, log.lines)
    if (free || tried < attemptLimit([loss.data])) continue
    const detail = countNoun(tried, 'worker was lost', 'workers were lost')
    await endTask(lease, taskState, {
      ...makeEmptyResult(task.objective),
      end: 'failed',
      reason: 'lost',
      detail,
    })
  }
}

const makeEmptyResult = (objective: string) => ({
  claims: [],
  gaps: [objective],
  spent: { tokens: 0, usd: 0, steps: 0, ms: 0 },
})

async function endTask(lease: CoordinatorLease, taskState: TaskState, result: TaskResult): Promise<void> {
  const task = taskState.task.id
  const written = await lease.write(makeStudyEntry('task.ended', { task, result }, endKey(taskState)))
  // the lease of a document's task is not closed, because a resume reads a document without a row again
  if (written && !taskState.task.document) await closeTask(lease, task)
}

/** Ends the lease of a task that is over and closes the task, so that all its jobs stop. */
async function closeTask({ lead: { journal, study, owner } }: CoordinatorLease, task: string): Promise<void> {
  const holder = (await journal.leases(study)).find((lease) => lease.task === task)?.owner
  if (holder !== undefined) return journal.release(study, task, holder, true)
  const claimed = await journal.claim({ study, task, epoch: Number.MAX_SAFE_INTEGER }, owner, 1000)
  if (claimed.state === 'ok') await journal.release(study, task, owner, true)
}

/** Returns the open tasks whose dependencies have all ended or will not run. */
export function readyTasks(state: StudyState): TaskState[] {
  return openTasks(state).filter(({ task }) => task.dependsOn.every((id) => isTaskOver(state.tasks.get(id))))
}

function openTasks(state: StudyState): TaskState[] {
  return [...state.tasks.values()].filter(({ status }) => status === 'open')
}

export const runningTasks = (state: StudyState): TaskState[] =>
  [...state.tasks.values()].filter(({ status }) => status === 'leased')

const areTasksOver = (state: StudyState): boolean => [...state.tasks.values()].every(isTaskOver)

/**
 * Returns true if the study may not spend any tokens or dollars. A model that works by rules costs nothing,
 * so its budget is never used up.
 */
export const isBroke = ({ head: { budget, model } }: StudyState): boolean =>
  model.kind !== 'rules' && (budget.tokens === 0 || budget.usd === 0)

/** Returns the running tasks that are not in `leases`, the leases that have not expired. */
export function lostTasks(state: StudyState, leases: readonly { task: string }[]): TaskState[] {
  const live = new Set(leases.map(({ task }) => task))
  return runningTasks(state).filter(({ task }) => !live.has(task.id))
}

/**
 * Returns true if the open tasks would probably add little: at least 90 % of the tasks are done, and the last
 * two that ended found less than one new piece of evidence for ten calls. `order` lists the ended tasks in
 * the order in which they ended.
 */
export function isCovered(state: StudyState, order: readonly string[]): boolean {
  const parts = [...state.tasks.values()]
  const answered = parts.filter(({ result }) => result?.end === 'done').length
  if (parts.length === 0 || answered / parts.length < 0.9) return false
  const last = order.slice(-2)
  if (last.length < 2) return false
  const before = new Set<string>()
  let fresh = 0
  let calls = 0
  for (const { task, canonical, locator } of state.evidence.values()) {
    if (!last.includes(task)) before.add(`${canonical}\n${locator}`)
  }
  for (const id of last) calls += state.tasks.get(id)?.calls ?? 0
  for (const { task, canonical, locator } of state.evidence.values()) {
    if (last.includes(task) && !before.has(`${canonical}\n${locator}`)) fresh++
  }
  return calls > 0 && fresh / calls < 0.1
}

/** Returns the number of the next task. All tasks share one numbering. */
export const nextTaskNumber = ({ tasks }: Pick<StudyState, 'tasks'>): number =>
  Math.max(0, ...[...tasks.keys()].map((key) => Number(key.slice(1)))) + 1

/**
 * Returns a second task for the unanswered parts (gaps) of a task that ended as `stalled`. Returns undefined
 * if the task did not stall, has no gaps, already has a second task, or is one itself.
 */
export function replanTask(state: StudyState, id: string): StudyTask | undefined {
  const { task, result } = state.tasks.get(id) ?? {}
  if (!task || result?.reason !== 'stalled' || result.gaps.length === 0) return undefined
  if (state.replanned.has(id) || [...state.replanned.values()].includes(id)) return undefined
  return {
    ...task,
    id: `t${nextTaskNumber(state)}`,
    objective: result.gaps.join('; '),
    boundaries:
      `${id} has looked already and got stuck; look elsewhere and for other words. ${task.boundaries}`.trim(),
    dependsOn: [id],
  }
}
