// Facts about the ends of tasks and studies: which ends are limits, which studies are over, and the key of an
// end in the log.
import type { StudyState } from './state.ts'
import type { TaskState } from './task-state.ts'

/**
 * Returns the key under which the next end of a task is written. A task ends once, and once more each time it
 * was opened again.
 */
export const endKey = ({ task, reopened }: Pick<TaskState, 'task' | 'reopened'>): string =>
  reopened === 0 ? `end:${task.id}` : `end:${task.id}:${reopened}`

const limitEnds: ReadonlySet<string> = new Set(['budget', 'timed_out', 'deadline', 'cancelled'])

/**
 * Returns true if a limit or a cancellation ended the task or kept it from running, so that it may
 * find more later.
 */
export const isLimited = ({ result, notRun }: Pick<TaskState, 'result' | 'notRun'>): boolean =>
  limitEnds.has(result?.end ?? notRun ?? '')

const finalStatuses: ReadonlySet<StudyState['status']> = new Set([
  'done',
  'partial',
  'failed',
  'cancelled',
  'paused',
])

/** Returns true if a study is over, so that nothing happens to it any more unless a user resumes it. */
export const isStudyOver = ({ status }: Pick<StudyState, 'status'>): boolean => finalStatuses.has(status)
