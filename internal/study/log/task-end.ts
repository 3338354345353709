// Facts about the ends of tasks and studies: their names, which ends are limits, which studies are over, and
// the key of an end in the log.
import type { StudyHead, StudyStatus } from './entries.ts'
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

interface Ending {
  model: Pick<StudyHead['model'], 'kind'>
  status: StudyStatus
  reason: string | null | undefined
}

/** Reasons for which a study fails although nothing went wrong: there was nothing to find. */
const fruitless = new Set(['no_evidence', 'nothing_found'])

/**
 * Returns the status of a study as text. If rules did the work, `done` becomes `quotations found`, and a
 * failure because nothing was found becomes `nothing found`.
 */
export function nameOutcome({ model, status, reason }: Ending): string {
  if (model.kind !== 'rules') return status
  if (status === 'done') return 'quotations found'
  return status === 'failed' && fruitless.has(reason ?? '') ? 'nothing found' : status
}

/** Returns how a task ended, as text. If rules did the work, `done` becomes `found`. */
export function nameTaskEnd(model: Pick<StudyHead['model'], 'kind'>, end: string): string {
  if (end === 'not_run') return 'not run'
  return model.kind === 'rules' && end === 'done' ? 'found' : end
}
