// The merge queue: results are picked onto the branch and checked, one after the other.
//
// While a commit is checked, the next result is picked on top of it and checked too. Nothing about that is
// stored: if the first commit fails, the second result starts again on the branch as it is.
import { makeBuildEntry } from '../../build/entries.ts'
import type { BegunTasks } from '../../build/last-attempts.ts'
import { chooseNextMerge, listMerges } from '../../build/ready-tasks.ts'
import { type BuildTaskState, isTaskOver } from '../../build/state.ts'
import type { BuildLeader } from './build-leader.ts'
import { checkMs } from './build-proof.ts'
import { type MergeCandidate, makeCandidate, resetTo } from './merge-candidate.ts'
import { finishMerge, settleMerge } from './merge-lane.ts'
import { prepareWorktree } from './task-attempt.ts'

/** Names of the worktrees of the queue: one for the commit that is next, the other for the one after it. */
export const lanes = ['queue', 'queue-2'] as const

/** A result that is checked on top of a commit that is not merged yet. */
interface AheadCheck {
  task: string
  attempt: number
  tip: string
  lane: string
  stop: AbortController
  /** Undefined if the check was stopped or could not run. Never rejects. */
  candidate: Promise<MergeCandidate | undefined>
}

/** The queue of a build. Only one `merge` may run at a time. */
export class MergeQueue {
  readonly #leader: BuildLeader
  /** The commit that `merge` checks. */
  #head: { task: string; lane: string; commit: string } | undefined
  #ahead: AheadCheck | undefined
  /** Milliseconds that the latest new worktree of the queue took; 0 before the first. */
  #newMs = 0
  /**
   * Resolves when the first worktree, which is created before a merge needs it, is ready or has
   * failed. Never rejects.
   */
  #early: Promise<void> | undefined
  #closing: Promise<string | undefined> = Promise.resolve(undefined)

  constructor(leader: BuildLeader) {
    this.#leader = leader
  }

  /** Id of the task that `merge` works on; undefined between merges. */
  merging: string | undefined

  /** Returns the task that `merge` takes next, if one is queued. `begun`: tasks whose attempt has begun. */
  next(begun: BegunTasks): BuildTaskState | undefined {
    const { state } = this.#leader
    const merges = listMerges(state, begun)
    const [first] = merges
    const early = merges.find(({ task }) => task.id === this.#ahead?.task)
    const isEarly = this.#ahead?.tip === state.tip && early?.status === 'queued'
    return first?.status !== 'merging' && isEarly ? early : first
  }

  /** Merges the result of a queued task, or sends the task back. Returns early when the build is stopped. */
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
    const found = await this.#takeAhead(task)
    if (leader.cut.aborted) return
    const lane = found?.lane ?? lanes[0]
    const onCommit = async (commit: string) => {
      await leader.write(makeBuildEntry('merge.started', { task: id, tip, commit }))
      this.#head = { task: id, lane, commit }
      this.#prepareClosing(id, commit)
      this.lookAhead()
    }
    try {
      if (found?.candidate.made) await onCommit(found.candidate.made.commit)
      const order = { task, lane, tip, prepare: this.#prepare, onCommit }
      const candidate = found?.candidate ?? (await makeCandidate(leader, order))
      if (candidate) await settleMerge(leader, task, tip, candidate)
    } finally {
      this.#head = undefined
      if (this.#ahead?.tip !== state.tip) this.#ahead?.stop.abort()
    }
  }

  /**
   * Creates the first worktree of the queue while tasks work, so that no merge and no later task waits for
   * it. Does nothing if that worktree exists, if a merge is due, while another worktree is created, or if no
   * task has worked for twice as long as a creation takes.
   */
  begin(): void {
    const { worktrees, state } = this.#leader
    const isLater = this.#early || worktrees.isCreating() || worktrees.has(lanes[0])
    const since = Date.now() - 2 * worktrees.creationMs()
    const isAtWork = ({ status, started }: BuildTaskState) =>
      status === 'running' && (started ?? since) < since
    if (isLater || chooseNextMerge(state) || ![...state.tasks.values()].some(isAtWork)) return
    // the first merge tries again, and reports what prevents it
    this.#early = this.#prepare(lanes[0], state.tip).catch(() => worktrees.remove(lanes[0]))
  }

  /**
   * Starts the check of the result after the one that `merge` checks. Does nothing if no such result is
   * queued, if such a check exists, if the build stops, or if a new worktree for it would take too long.
   */
  lookAhead(): void {
    const leader = this.#leader
    if (!this.#head || this.#ahead || leader.isStopping()) return
    const { task: first, lane: taken, commit: tip } = this.#head
    const queued = listMerges(leader.state).filter(({ status }) => status === 'queued')
    const task = queued.find((one) => one.task.id !== first)
    const lane = lanes.find((one) => one !== taken)
    if (!task || lane === undefined || !this.#pays(task, lane)) return
    const stop = new AbortController()
    const own = { ...leader, cut: AbortSignal.any([leader.cut, stop.signal]) }
    const order = { task, lane, tip, prepare: this.#prepare }
    const candidate = makeCandidate(own, order).catch(() => undefined)
    this.#ahead = { task: task.task.id, attempt: task.attempt, tip, lane, stop, candidate }
  }

  /**
   * Creates the worktree of the closing check while the last result is checked. If that fails, or if the
   * result is refused, the closing check creates it again.
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

  /** Resolves to the commit of the prepared worktree for the closing check; undefined without one. */
  closing(): Promise<string | undefined> {
    return this.#closing
  }

  /** Stops the check that `lookAhead` has started, and waits for the worktrees that were created ahead. */
  async end(): Promise<void> {
    this.#ahead?.stop.abort()
    await this.#ahead?.candidate
    await this.#early
    await this.#closing
  }

  /**
   * Returns the check that ran ahead for this attempt on the tip of the branch, or undefined without one.
   * Ends a check for anything else.
   */
  async #takeAhead({ task: { id }, attempt }: BuildTaskState) {
    const found = this.#ahead
    const { tip } = this.#leader.state
    const isSame = found?.task === id && found.attempt === attempt && found.tip === tip
    if (!isSame) found?.stop.abort()
    const candidate = await found?.candidate
    this.#ahead = undefined
    return isSame && candidate ? { lane: found.lane, candidate } : undefined
  }

  readonly #prepare = async (lane: string, commit: string): Promise<void> => {
    const leader = this.#leader
    if (leader.worktrees.has(lane)) return resetTo(leader, lane, commit)
    const began = performance.now()
    await prepareWorktree(leader, lane, commit)
    this.#newMs = performance.now() - began
  }

  /**
   * Returns true if the queue has a second worktree, if a spare one is not needed by a task, or if a new one
   * takes less time than the check of the task took.
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
