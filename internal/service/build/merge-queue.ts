// Merge queue of a build: applies the results of tasks to the branch and checks them, one after the other.
// While one commit is checked, the next result is applied on top of it and checked too. That second check is
// not stored: if the first commit fails, the second result starts again on the branch as it is.
import { makeBuildEntry } from '../../build/entries.ts'
import type { BegunTasks } from '../../build/last-attempts.ts'
import { chooseNextMerge, listMerges } from '../../build/ready-tasks.ts'
import { type BuildTaskState, isTaskOver } from '../../build/state.ts'
import type { BuildLeader } from './build-leader.ts'
import { checkMs } from './build-proof.ts'
import { type MergeCandidate, makeCandidate, resetTo } from './merge-candidate.ts'
import { finishMerge, settleMerge } from './merge-lane.ts'
import { prepareWorktree } from './task-attempt.ts'

/** Names of the two worktrees of the queue: one for the commit to merge next, one for the commit after it. */
export const lanes = ['queue', 'queue-2'] as const

/** Early check of a result on top of a commit that is not merged yet. */
interface AheadCheck {
  task: string
  attempt: number
  tip: string
  lane: string
  stop: AbortController
  /** Result of the check; resolves to undefined if it was stopped or could not run. Never rejects. */
  candidate: Promise<MergeCandidate | undefined>
}

/** The queue of a build. Only one `merge` may run at a time. */
export class MergeQueue {
  readonly #leader: BuildLeader
  /** The commit that `merge` checks now. */
  #head: { task: string; lane: string; commit: string } | undefined
  #ahead: AheadCheck | undefined
  /** Milliseconds that the latest new worktree of the queue took; 0 before the first. */
  #newMs = 0
  /**
   * Early creation of the first worktree of the queue. Resolves when it is ready or has failed,
   * and never rejects.
   */
  #early: Promise<void> | undefined
  #closing: Promise<string | undefined> = Promise.resolve(undefined)

  constructor(leader: BuildLeader) {
    this.#leader = leader
  }

  /** Id of the task that `merge` works on; undefined between merges. */
  merging: string | undefined

  /**
   * Returns the task that `merge` has to merge next; undefined if no result waits. `begunTasks`: tasks with
   * a started attempt.
   */
  next(begunTasks: BegunTasks): BuildTaskState | undefined {
    const { state } = this.#leader
    const merges = listMerges(state, begunTasks)
    const [first] = merges
    const early = merges.find(({ task }) => task.id === this.#ahead?.task)
    const isEarly = this.#ahead?.tip === state.tip && early?.status === 'queued'
    return first?.status !== 'merging' && isEarly ? early : first
  }

  /**
   * Merges the result of a task, or gives the task another attempt. Returns early when the build has to stop.
   */
  async merge(id: string): Promise<void> {
    this.merging = id
    try {
      await this.#mergeTask(id)
    } finally {
      this.merging = undefined
    }
  }

  async #mergeTask(id: string): Promise<void> {
    const leader = this.#leader
    const { state } = leader
    const task = leader.taskOf(id)
    if (await finishMerge(leader, task)) return
    const { tip } = state
    await this.#early
    const earlyCheck = await this.#takeAhead(task)
    if (leader.cut.aborted) return
    const lane = earlyCheck?.lane ?? lanes[0]
    const onCommit = async (commit: string) => {
      await leader.write(makeBuildEntry('merge.started', { task: id, tip, commit }))
      this.#head = { task: id, lane, commit }
      this.#prepareClosing(id, commit)
      this.lookAhead()
    }
    try {
      if (earlyCheck?.candidate.made) await onCommit(earlyCheck.candidate.made.commit)
      const order = { task, lane, tip, prepare: this.#prepare, onCommit }
      const candidate = earlyCheck?.candidate ?? (await makeCandidate(leader, order))
      if (candidate) await settleMerge(leader, task, tip, candidate)
    } finally {
      this.#head = undefined
      if (this.#ahead?.tip !== state.tip) this.#ahead?.stop.abort()
    }
  }

  /**
   * Creates the first worktree of the queue while tasks work, so that the first merge does not wait for it.
   * Does nothing if that worktree exists, a merge is due, or another worktree is being created. Also does
   * nothing until a task has worked for twice as long as the creation of a worktree takes.
   */
  begin(): void {
    const { worktrees, state } = this.#leader
    const isLater = this.#early || worktrees.isCreating() || worktrees.has(lanes[0])
    const since = Date.now() - 2 * worktrees.creationMs()
    const isAtWork = ({ status, started }: BuildTaskState) =>
      status === 'running' && (started ?? since) < since
    if (isLater || chooseNextMerge(state) || ![...state.tasks.values()].some(isAtWork)) return
    // the error is ignored here: the first merge creates the worktree again and reports the reason
    this.#early = this.#prepare(lanes[0], state.tip).catch(() => worktrees.remove(lanes[0]))
  }

  /**
   * Starts an early check of the result after the one that `merge` checks. Does nothing if no other result
   * waits, if an early check runs, if the build has to stop, or if a new worktree for it would take too long.
   */
  lookAhead(): void {
    const leader = this.#leader
    if (!this.#head || this.#ahead || leader.isStopping()) return
    const { task: first, lane: busyLane, commit: tip } = this.#head
    const queued = listMerges(leader.state).filter(({ status }) => status === 'queued')
    const task = queued.find((one) => one.task.id !== first)
    const lane = lanes.find((one) => one !== busyLane)
    if (!task || lane === undefined || !this.#pays(task, lane)) return
    const stop = new AbortController()
    const stoppableLeader = { ...leader, cut: AbortSignal.any([leader.cut, stop.signal]) }
    const order = { task, lane, tip, prepare: this.#prepare }
    const candidate = makeCandidate(stoppableLeader, order).catch(() => undefined)
    this.#ahead = { task: task.task.id, attempt: task.attempt, tip, lane, stop, candidate }
  }

  /**
   * Creates the worktree for the check at the end while the last result is checked. If that fails, or
   * the result is refused, the last check creates the worktree again. Does nothing while another task
   * is not over.
   */
  #prepareClosing(id: string, commit: string): void {
    const leader = this.#leader
    const { tasks } = leader.state
    if (![...tasks.values()].every((one) => one.task.id === id || isTaskOver(one))) return
    this.#closing = prepareWorktree(leader, 'closing', commit, true).then(
      () => commit,
      () => undefined,
    )
  }

  /** Resolves to the commit of the early worktree for the check at the end; undefined without one. */
  closing(): Promise<string | undefined> {
    return this.#closing
  }

  /** Stops the early check that `lookAhead` has started, and waits for worktrees that are being created. */
  async end(): Promise<void> {
    this.#ahead?.stop.abort()
    await this.#ahead?.candidate
    await this.#early
    await this.#closing
  }

  /**
   * Returns the early check if it was for this attempt and for the latest commit of the branch; otherwise
   * stops it and returns undefined.
   */
  async #takeAhead({ task: { id }, attempt }: BuildTaskState) {
    const earlyCheck = this.#ahead
    const { tip } = this.#leader.state
    const isSame = earlyCheck?.task === id && earlyCheck.attempt === attempt && earlyCheck.tip === tip
    if (!isSame) earlyCheck?.stop.abort()
    const candidate = await earlyCheck?.candidate
    this.#ahead = undefined
    return isSame && candidate ? { lane: earlyCheck.lane, candidate } : undefined
  }

  readonly #prepare = async (lane: string, commit: string): Promise<void> => {
    const leader = this.#leader
    if (leader.worktrees.has(lane)) return resetTo(leader, lane, commit)
    const began = performance.now()
    await prepareWorktree(leader, lane, commit)
    this.#newMs = performance.now() - began
  }

  /**
   * Returns true if an early check saves time: its worktree exists, a spare worktree is available that no
   * task needs, or a new one takes less time than the check.
   */
  #pays({ proof }: BuildTaskState, lane: string): boolean {
    const { worktrees, state } = this.#leader
    if (worktrees.has(lane)) return true
    const waits = [...state.tasks.values()].some(
      ({ status }) => status === 'waiting' || status === 'reopened',
    )
    return (!waits && worktrees.spares() > 0) || checkMs(proof?.receipt) > this.#newMs
  }
}
