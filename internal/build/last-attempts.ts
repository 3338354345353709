// The last attempts of tasks whose results were in conflict. Another conflict would end such a task without a
// merge. Until it has ended, results that change the same files are therefore not merged.
import type { BuildState, BuildTaskState } from './state.ts'

/**
 * Returns the files of the results that were in conflict, if the current or next attempt of the task is its
 * last one; otherwise an empty list.
 */
function filesAtRisk({ head }: BuildState, task: BuildTaskState): readonly string[] {
  const next = task.status === 'reopened' ? 1 : 0
  const isLast = task.attempt + next - task.spare >= head.attempts
  return isLast ? (task.agent.conflictFiles ?? []) : []
}

const isShared = (files: readonly string[], others: readonly string[] = []): boolean =>
  files.some((path) => others.includes(path))

/** Ids of tasks whose attempt or merge has begun, although the journal may not have its entry yet. */
export type BegunTasks = ReadonlySet<string>

const none: BegunTasks = new Set()

const isAtWork = ({ status, task }: BuildTaskState, begunTasks: BegunTasks): boolean =>
  status === 'running' || status === 'proving' || (status === 'reopened' && begunTasks.has(task.id))

const isMerging = ({ status, task }: BuildTaskState, begunTasks: BegunTasks): boolean =>
  status === 'merging' || (status === 'queued' && begunTasks.has(task.id))

/** Returns true from the beginning of an attempt until its merge or its end. */
const isActive = (task: BuildTaskState, begunTasks: BegunTasks): boolean =>
  isAtWork(task, begunTasks) || task.status === 'queued' || task.status === 'merging'

/**
 * Returns the tasks for which a reopened task waits before its last attempt: those that are being merged and
 * change the files of its conflicts, and those that had conflicts in the same files and are on their last
 * attempt. Returns an empty list for any other task.
 */
export function findLastChances(
  state: BuildState,
  one: BuildTaskState,
  begunTasks: BegunTasks = none,
): BuildTaskState[] {
  const files = one.status === 'reopened' ? filesAtRisk(state, one) : []
  if (files.length === 0) return []
  return [...state.tasks.values()].filter((other) => {
    if (other === one) return false
    if (isMerging(other, begunTasks) && isShared(files, other.result?.files)) return true
    return isActive(other, begunTasks) && isShared(files, filesAtRisk(state, other))
  })
}

/**
 * Returns the tasks for which a queued result waits: those on their last attempt that had conflicts in files
 * of the result. The result of a last attempt that had conflicts does not wait.
 */
export function findHolders(
  state: BuildState,
  queued: BuildTaskState,
  begunTasks: BegunTasks = none,
): BuildTaskState[] {
  if (filesAtRisk(state, queued).length > 0) return []
  return [...state.tasks.values()].filter(
    (other) => isActive(other, begunTasks) && isShared(filesAtRisk(state, other), queued.result?.files),
  )
}
