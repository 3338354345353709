// What a task of a study looks like now.
import type { StudyEntries, StudyTask, TaskResult } from './entries.ts'

export interface TaskState {
  task: StudyTask
  status: 'open' | 'leased' | 'ended' | 'not_run'
  attempts: number
  owner?: string
  epoch: number
  /** True if nothing has begun on the task since another coordinator took over the study. */
  inherited?: boolean
  /** Number of steps that were paid. */
  steps: number
  calls: number
  /** Name of the newest call and what it is about. */
  doing?: string
  result?: TaskResult
  notRun?: StudyEntries['task.not_run']['reason']
  /** How often the task was opened again. */
  reopened: number
  /** The further question that it works on; 0 is the question of the study. */
  round: number
  /** Claim that it looks at a second time. */
  checks?: string
  started?: number
  updated?: number
}

export function isTaskOver(task: TaskState | undefined): boolean {
  return task === undefined || task.status === 'ended' || task.status === 'not_run'
}

/** Returns the wall time of a task from its first start to its last update, in milliseconds. */
export function tookMs({ started, updated }: TaskState): number {
  return started === undefined || updated === undefined ? 0 : updated - started
}
