// Tasks as the log of a study has them: their fields, their leases, and the ends of tasks and studies.
import { describeTaskEnd } from '../../session/board/study-words.ts'
import type { StudyEntries, StudyHead, StudyStatus, StudyTask, TaskResult } from './entries.ts'
import type { WorkerStart } from './worker-start.ts'

export interface TaskState {
  task: StudyTask
  status: 'open' | 'leased' | 'ended' | 'not_run'
  attempts: number
  owner?: string
  /**
   * Host and process of the latest start. `lostProcess`: host and process of the latest worker that was lost,
   * if that counts as an attempt.
   */
  process?: string
  lostProcess?: string
  epoch: number
  /**
   * True if, since another coordinator took over the study, no worker has started the task or lost its lease.
   */
  inherited?: boolean
  /** Number of steps of the task that were paid. */
  steps: number
  calls: number
  /** Name of the latest tool call and the argument that describes it best. */
  doing?: string
  result?: TaskResult
  notRun?: StudyEntries['task.not_run']['reason']
  /** How often the task was opened again. */
  reopened: number
  /** Number of the further question that the task works on; 0 is the first question of the study. */
  round: number
  /** Id of the claim that the task checks a second time; undefined for other tasks. */
  checks?: string
  started?: number
  updated?: number
}

/** Returns the fields of a task that change when a worker starts it. */
export const leaseTask = ({ epoch, owner, attempt, host, pid }: WorkerStart): Partial<TaskState> => ({
  status: 'leased',
  epoch,
  owner,
  process: `${host}-${pid}`,
  attempts: attempt,
  inherited: false,
})

export function isTaskOver(task: TaskState | undefined): boolean {
  return task === undefined || task.status === 'ended' || task.status === 'not_run'
}

/**
 * Returns the wall time of a task from its first start to its last update, in milliseconds; 0
 * before it starts.
 */
export function tookMs({ started, updated }: TaskState): number {
  return started === undefined || updated === undefined ? 0 : updated - started
}

/**
 * Returns the key under which the next end of a task is written. A task ends once, and once more each time it
 * was opened again.
 */
export const endKey = ({ task, reopened }: Pick<TaskState, 'task' | 'reopened'>): string =>
  reopened === 0 ? `end:${task.id}` : `end:${task.id}:${reopened}`

const limitEnds: ReadonlySet<string> = new Set(['budget', 'timed_out', 'deadline', 'cancelled'])

/**
 * Returns true if the budget, the time limit or a cancellation ended the task or kept it from running, so
 * that it may find more later.
 */
export const isLimited = ({ result, notRun }: Pick<TaskState, 'result' | 'notRun'>): boolean =>
  limitEnds.has(result?.end ?? notRun ?? '')

const finalStatuses: ReadonlySet<StudyStatus> = new Set(['done', 'partial', 'failed', 'cancelled', 'paused'])

/**
 * Returns true if the status of a study is final: only a user changes it, who resumes or cancels the study or
 * asks a further question. Workers of a cancelled or paused study may still be ending their tasks.
 */
export const isStudyOver = ({ status }: { status: StudyStatus }): boolean => finalStatuses.has(status)

interface StudyEnding {
  model: Pick<StudyHead['model'], 'kind'>
  status: StudyStatus
  reason: string | null | undefined
}

/** Reasons for which a study fails although nothing went wrong: there was nothing to find. */
const fruitless = new Set(['no_evidence', 'nothing_found'])

/**
 * Returns the status of a study as text. If rules did the work, `done` becomes `quotes found`, and a
 * failure because nothing was found becomes `nothing found`.
 */
export function nameOutcome({ model, status, reason }: StudyEnding): string {
  if (model.kind !== 'rules') return status
  if (status === 'done') return 'quotes found'
  return status === 'failed' && fruitless.has(reason ?? '') ? 'nothing found' : status
}

/** Returns how a task ended, as text. If rules did the work, `done` becomes `found`. */
export function nameTaskEnd(model: Pick<StudyHead['model'], 'kind'>, end: string): string {
  return model.kind === 'rules' && end === 'done' ? 'found' : describeTaskEnd(end)
}
