// The next steps of a coordinator, computed only from the state of the study.

import type { StudyTask } from '../log/entries.ts'
import type { StudyState } from '../log/state.ts'
import { isTaskOver, type TaskState } from '../log/task-end.ts'

/** Returns the open tasks whose dependencies have all ended. */
export function readyTasks(state: StudyState): TaskState[] {
  return openTasks(state).filter(({ task }) => task.dependsOn.every((id) => isTaskOver(state.tasks.get(id))))
}

export function openTasks(state: StudyState): TaskState[] {
  return [...state.tasks.values()].filter(({ status }) => status === 'open')
}

export const runningTasks = (state: StudyState): TaskState[] =>
  [...state.tasks.values()].filter(({ status }) => status === 'leased')

export const areTasksOver = (state: StudyState): boolean => [...state.tasks.values()].every(isTaskOver)

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
