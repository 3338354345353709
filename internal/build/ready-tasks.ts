// The choice of the next tasks by their order and dependencies. Tasks whose scopes (the files that they may
// change) overlap never run at the same time.
import { type BegunTasks, findHolders, findLastChances } from './last-attempts.ts'
import type { BuildPlan, BuildTask } from './plan.ts'
import { scopesOverlap } from './scope.ts'
import { type BuildState, type BuildTaskState, isTaskOver } from './state.ts'

/** Pairs of tasks whose scopes overlap, by the id of each. */
type ScopeConflicts = ReadonlyMap<string, ReadonlySet<string>>

/** Returns, for each task, the ids of the tasks whose scopes overlap with its scope. */
export function findScopeConflicts(tasks: readonly BuildTask[]): ScopeConflicts {
  const conflicts = new Map(tasks.map(({ id }) => [id, new Set<string>()]))
  for (const [i, first] of tasks.entries())
    for (const second of tasks.slice(i + 1)) {
      if (!scopesOverlap(first.scope, second.scope)) continue
      conflicts.get(first.id)?.add(second.id)
      conflicts.get(second.id)?.add(first.id)
    }
  return conflicts
}

/**
 * Returns the tasks that may start now, those with the longest chain of dependent tasks first. A task
 * waits for the tasks in `after`. It also waits for a task with an overlapping scope that comes before it
 * in the order of merges, or that has already started. Before its last attempt, it may also wait for the
 * tasks of `findLastChances`.
 */
export function chooseReadyTasks(state: BuildState, conflicts: ScopeConflicts): BuildTaskState[] {
  const all = orderTasks(state)
  const isReady = (one: BuildTaskState) =>
    (one.status === 'waiting' || one.status === 'reopened') &&
    findWaits(one, all, conflicts).length === 0 &&
    findLastChances(state, one).length === 0
  const ready = all.filter(isReady)
  const chains = measureChains(all.map(({ task }) => task))
  return ready.sort((a, b) => (chains.get(b.task.id) ?? 0) - (chains.get(a.task.id) ?? 0))
}

/**
 * Returns the tasks for which `one` waits before it starts, in the order of merges. `all` is in that order.
 */
function findWaits(
  one: BuildTaskState,
  all: readonly BuildTaskState[],
  conflicts: ScopeConflicts,
): BuildTaskState[] {
  const index = all.indexOf(one)
  const rivals = conflicts.get(one.task.id)
  return all.filter((other, at) => {
    if (other === one) return false
    if (one.task.after.includes(other.task.id)) return other.status !== 'merged'
    if (!rivals?.has(other.task.id)) return false
    // a task that is later in this order but has already started must end first
    return at < index ? !isTaskOver(other) : isActive(other)
  })
}

/**
 * Returns the ids of the tasks for which each task waits: before it starts, or in the queue. A task without
 * them that has not started waits for a free worker.
 */
export function findBlockers(state: BuildState): ReadonlyMap<string, readonly string[]> {
  const all = orderTasks(state)
  const queue = all.filter(({ status }) => status === 'merging' || status === 'queued')
  const conflicts = conflictsOf(state.plan)
  const waitsOf = (one: BuildTaskState) => {
    if (one.status === 'waiting' || one.status === 'reopened')
      return [...new Set([...findWaits(one, all, conflicts), ...findLastChances(state, one)])]
    return one.status === 'queued' ? [...queue.slice(0, queue.indexOf(one)), ...findHolders(state, one)] : []
  }
  return new Map(all.map((one) => [one.task.id, waitsOf(one).map(({ task }) => task.id)]))
}

/**
 * Scope conflicts of the plan that was used last, kept because a board needs them each time that it is drawn.
 */
let latest: { plan: BuildPlan; conflicts: ScopeConflicts } | undefined

function conflictsOf(plan: BuildPlan): ScopeConflicts {
  if (latest?.plan !== plan) latest = { plan, conflicts: findScopeConflicts(plan.tasks) }
  return latest.conflicts
}

/**
 * Returns the tasks in the order of merges: plan order, except that a task follows those in its `after`. A
 * task waits only for tasks before it in this order or for active ones, so that tasks never wait for each
 * other in a circle.
 */
function orderTasks({ tasks }: BuildState): BuildTaskState[] {
  const ordered = new Map<string, BuildTaskState>()
  const add = (one: BuildTaskState) => {
    if (ordered.has(one.task.id)) return
    for (const id of one.task.after) {
      const before = tasks.get(id)
      if (before) add(before)
    }
    ordered.set(one.task.id, one)
  }
  for (const one of tasks.values()) add(one)
  return [...ordered.values()]
}

const isActive = ({ status }: BuildTaskState) =>
  status === 'running' || status === 'proving' || status === 'queued' || status === 'merging'

/**
 * Returns the waiting tasks that have in `after` a task that ended without a merge; `by` is the id
 * of that task.
 */
export function findBlockedTasks(state: BuildState): { task: BuildTaskState; by: string }[] {
  return [...state.tasks.values()].flatMap((task) => {
    if (task.status !== 'waiting') return []
    const by = task.task.after.find((id) => {
      const other = state.tasks.get(id)
      return other !== undefined && isTaskOver(other) && other.status !== 'merged'
    })
    return by === undefined ? [] : [{ task, by }]
  })
}

/** Returns the number of tasks on the longest chain that starts with each task. */
function measureChains(tasks: readonly BuildTask[]): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>()
  const measure = (id: string): number => {
    const storedLength = lengths.get(id)
    if (storedLength !== undefined) return storedLength
    const next = tasks.filter(({ after }) => after.includes(id)).map((task) => measure(task.id))
    const length = 1 + Math.max(0, ...next)
    lengths.set(id, length)
    return length
  }
  for (const { id } of tasks) measure(id)
  return lengths
}

/** Returns the ids of the longest chain of tasks, first to last. */
export function findCriticalPath(tasks: readonly BuildTask[]): string[] {
  const chains = measureChains(tasks)
  const longest = (ids: readonly string[]) =>
    ids.reduce<string | undefined>(
      (best, id) => (best === undefined || (chains.get(id) ?? 0) > (chains.get(best) ?? 0) ? id : best),
      undefined,
    )
  const path: string[] = []
  let next = longest(tasks.filter(({ after }) => after.length === 0).map(({ id }) => id))
  while (next !== undefined) {
    const id: string = next
    path.push(id)
    next = longest(tasks.filter(({ after }) => after.includes(id)).map((task) => task.id))
  }
  return path
}

/**
 * Returns the task that is being merged, else the queued task that merges next in the order of merges.
 * Returns undefined if neither exists, for example because each queued task has to wait.
 */
export const chooseNextMerge = (state: BuildState): BuildTaskState | undefined => listMerges(state)[0]

/**
 * Returns the task that is being merged, then the queued tasks that may merge, in the order of merges.
 * `begunTasks`: tasks whose attempt or merge has begun, although the journal may not have its entry yet.
 */
export function listMerges(state: BuildState, begunTasks?: BegunTasks): BuildTaskState[] {
  const all = orderTasks(state)
  const mayMerge = (one: BuildTaskState) =>
    one.status === 'queued' && findHolders(state, one, begunTasks).length === 0
  return [...all.filter(({ status }) => status === 'merging'), ...all.filter(mayMerge)]
}
