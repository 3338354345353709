// State of one task of a study.
import type { StudyEntries, StudyTask, TaskResult } from './entries.ts'
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
  /** True if no worker has started the task since another coordinator took over the study. */
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

/** Returns the changes of a task whose work a worker starts. */
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
