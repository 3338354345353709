// Which ends are those of limits, which studies are over, and the key under which the end of a task is
// written.
import type { StudyState } from './state.ts'
import type { TaskState } from './task-state.ts'

/** Returns the key of the next end of a task. A task ends once, and once more each time it is reopened. */
export const endKey = ({ task, reopened }: Pick<TaskState, 'task' | 'reopened'>): string =>
  reopened === 0 ? `end:${task.id}` : `end:${task.id}:${reopened}`

const limitEnds: ReadonlySet<string> = new Set(['budget', 'timed_out', 'deadline', 'cancelled'])

/** Returns whether a limit ended the task. With a larger limit, the task may find more. */
export const isLimited = ({ result, notRun }: Pick<TaskState, 'result' | 'notRun'>): boolean =>
  limitEnds.has(result?.end ?? notRun ?? '')

const finalStatuses: ReadonlySet<StudyState['status']> = new Set([
  'done',
  'partial',
  'failed',
  'cancelled',
  'paused',
])

/** Whether nothing more is going to happen by itself. */
export const isStudyOver = ({ status }: Pick<StudyState, 'status'>): boolean => finalStatuses.has(status)
