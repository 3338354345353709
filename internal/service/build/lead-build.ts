// Main loop of a build: starts ready tasks, merges their results, and ends when no task can continue.
import { FailureError, messageOf, UserError } from '../../base/errors.ts'
import { waitAtMost } from '../../base/time-limit.ts'
import { type BuildEnd, makeBuildEntry } from '../../build/entries.ts'
import { findLastChances } from '../../build/last-attempts.ts'
import { chooseReadyTasks, findBlockedTasks, findScopeConflicts } from '../../build/ready-tasks.ts'
import { type BuildState, type BuildTaskState, isTaskOver } from '../../build/state.ts'
import { thisHost } from '../study/worker-environment.ts'
import { type BuildLeader, whyStopped } from './build-leader.ts'
import { checkMs, describeFailure } from './build-proof.ts'
import { proveTip } from './merge-lane.ts'
import { lanes, MergeQueue } from './merge-queue.ts'
import { planBuild } from './plan-build.ts'
import { endTask, runTaskAttempt, worktreeOf } from './task-attempt.ts'

/** Milliseconds between two checks for entries of other processes, such as a cancellation. */
const pollMs = 500

/** Running work by the id of its task. The running merge has an empty id. */
type OpenWork = Map<string, Promise<void>>

/** Leads the build until it ends. Returns the state, whose `end` is missing if the build was interrupted. */
export async function leadBuild(leader: BuildLeader): Promise<BuildState> {
  const { state, write } = leader
  await write(makeBuildEntry('leader', { pid: process.pid, host: thisHost }))
  if (state.plan.tasks.length === 0 && !(await planBuild(leader)))
    return whyStopped(state) !== undefined && state.end === undefined ? endBuild(leader) : state
  const conflicts = findScopeConflicts(state.plan.tasks)
  const open: OpenWork = new Map()
  const queue = new MergeQueue(leader)
  let trouble: { error: unknown } | undefined
  const begin = (name: string, work: Promise<void>) => {
    const tracked = work
      .catch((error: unknown) => {
        if (!leader.cut.aborted) trouble ??= { error }
      })
      .finally(() => open.delete(name))
    open.set(name, tracked)
  }
  const resumed = new Set([...state.tasks.values()].filter(({ status }) => isUnderWay(status)))
  while (true) {
    await leader.catchUp()
    const isStopping = trouble !== undefined || leader.isStopping()
    if (!isStopping) {
      await endBlockedTasks(leader)
      const next = queue.next(new Set(open.keys()))
      if (next && !open.has('')) begin('', queue.merge(next.task.id))
      queue.lookAhead()
      for (const task of [...resumed, ...chooseReadyTasks(state, conflicts)]) {
        if (!hasFreeWorker(leader, open) || waitsForWorktree(leader, open) || open.has(task.task.id)) continue
        const begunTasks = new Set([...open.keys(), queue.merging ?? ''])
        if (findLastChances(state, task, begunTasks).length > 0) continue
        resumed.delete(task)
        begin(task.task.id, runTaskAttempt(leader, task.task.id))
      }
      queue.begin()
    } else void queue.end()
    if (open.size === 0) break
    // the wait would end at once with a signal that has already aborted
    const stop = leader.stop.aborted ? undefined : leader.stop
    await waitAtMost(Promise.race(open.values()), pollMs, stop)
  }
  await queue.end()
  if (trouble) return endWithTrouble(leader, trouble.error)
  return leader.stop.aborted ? state : endBuild(leader, await queue.closing())
}

/**
 * Returns true if another task may start: fewer than `workers` tasks work, and fewer than two times `workers`
 * tasks are in progress. A task whose check runs needs no worker. But its worktree is not free, so it counts
 * as working until the check has taken twice as long as a new worktree takes.
 */
function hasFreeWorker({ state, worktrees }: BuildLeader, open: OpenWork): boolean {
  const { workers } = state.head
  const tasks = [...open.keys()].flatMap((id) => state.tasks.get(id) ?? [])
  const isAtWork = ({ status, step }: BuildTaskState) =>
    status !== 'proving' || Date.now() - (step?.ts ?? 0) <= 2 * worktrees.creationMs()
  return tasks.length < 2 * workers && tasks.filter(isAtWork).length < workers
}

/**
 * Returns true if the next task has to wait for a worktree that is in use instead of getting a new one:
 * no spare worktree is left for it, and each task with a result so far took less time than the creation
 * of a worktree.
 */
function waitsForWorktree({ state, worktrees }: BuildLeader, open: OpenWork): boolean {
  const names = [...open.keys()].map((id) => (id === '' ? lanes[0] : worktreeOf(id)))
  const missing = names.filter((name) => !worktrees.has(name))
  const isFreed = names.some((name) => name !== lanes[0])
  if (!isFreed || worktrees.spares() > missing.length) return false
  const spent = [...state.tasks.values()].flatMap(({ step, proof, result }) =>
    step && result ? [step.ms + checkMs(proof?.receipt)] : [],
  )
  return spent.length > 0 && Math.max(...spent) < worktrees.creationMs()
}

const isUnderWay = (status: string) => status === 'running' || status === 'proving'

async function endBlockedTasks(leader: BuildLeader): Promise<void> {
  for (let blocked = findBlockedTasks(leader.state); blocked.length > 0; ) {
    for (const { task, by } of blocked)
      await endTask(leader, task, { why: 'dependency', detail: `task ${by} did not merge` })
    blocked = findBlockedTasks(leader.state)
  }
}

/**
 * Ends the build after a UserError or FailureError that belongs to no task. The end has its message and hint.
 * Throws any other error.
 */
async function endWithTrouble(leader: BuildLeader, error: unknown): Promise<BuildState> {
  if (!(error instanceof UserError || error instanceof FailureError)) throw error
  const { state, write } = leader
  const hint = error instanceof UserError ? error.hint : error.failure.hint
  const detail = [messageOf(error), hint].filter((text) => text !== undefined).join('\n')
  await write(makeBuildEntry('build.ended', { end: state.commits.length > 0 ? 'partial' : 'failed', detail }))
  return state
}

/**
 * Ends the tasks if the build was cancelled or reached its deadline; otherwise checks the whole branch if it
 * has commits. Then removes the worktrees and writes the end of the build. `prepared`: commit for which the
 * worktree of this check exists already. Writes no end if running commands have to end now.
 */
async function endBuild(leader: BuildLeader, prepared?: string): Promise<BuildState> {
  const { state, write, worktrees } = leader
  const stopped = whyStopped(state)
  if (stopped !== undefined)
    for (const task of state.tasks.values())
      if (!isTaskOver(task)) await endTask(leader, task, { why: stopped, detail: 'the build has ended' })
  const proof =
    stopped === undefined && state.commits.length > 0 ? await proveTip(leader, prepared) : undefined
  if (leader.cut.aborted) return state
  const end = stopped === 'cancelled' ? 'cancelled' : endOf(state, proof?.state === 'unproven')
  // the worktrees are removed before the end is written: after it, an interrupted build is not resumed, so
  // they would stay
  await worktrees.removeAll()
  const detail = end === 'unverified' && proof ? `the closing check fails: ${describeFailure(proof)[1]}` : ''
  await write(makeBuildEntry('build.ended', { end, detail }))
  return state
}

function endOf({ tasks, commits }: BuildState, isRefuted: boolean): BuildEnd {
  const all = [...tasks.values()]
  if (isRefuted) return 'unverified'
  // a build without tasks has no plan yet, so the deadline has ended the planner
  if (all.length === 0) return 'partial'
  if (all.every(({ status }) => status === 'merged')) return 'done'
  if (all.some(({ why }) => why === 'denied')) return 'denied'
  return commits.length > 0 || all.some(({ why }) => why === 'limit') ? 'partial' : 'failed'
}
