// What a task of a study looks like now.
import type { StudyEntries, StudyTask, TaskResult } from './entries.ts'

export interface TaskState {
  task: StudyTask
  status: 'open' | 'leased' | 'ended' | 'not_run'
  attempts: number
  owner?: string
  epoch: number
  /** Nothing has begun on it since another coordinator took the study over. */
  inherited?: boolean
  /** Steps that were paid, and when the last thing happened. */
  steps: number
  calls: number
  /** Name of the newest call and what it is about. */
  doing?: string
  result?: TaskResult
  notRun?: StudyEntries['task.not_run']['reason']
  /** How often it was opened again. */
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

/** Wall time of a task from its first start to the last that was heard of it, in ms. */
export function tookMs({ started, updated }: TaskState): number {
  return started === undefined || updated === undefined ? 0 : updated - started
}
