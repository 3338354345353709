// Process that leads a build: its lease, which allows only one leader, its journal, and the state that
// all parts share.
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { once } from '../../base/once.ts'
import { WorkSlots } from '../../base/work-slots.ts'
import type { ReportedCall, TaskEndReason } from '../../build/entries.ts'
import type { BuildPlan } from '../../build/plan.ts'
import type { PlanCost } from '../../build/plan-cost.ts'
import {
  advanceBuildState,
  type BuildState,
  type BuildTaskState,
  beginBuildState,
} from '../../build/state.ts'
import { ChildOwner } from '../../process/child-owner.ts'
import type { BaseMemory } from '../../proof/base-files.ts'
import type { FileMemory } from '../../proof/tree-state.ts'
import { createSandboxMemory, type SandboxMemory } from '../../sandbox/sandbox-memory.ts'
import { maxBlobBytes } from '../../store/journal/blob.ts'
import type { Fence, JournalLine, NewJournalLine } from '../../store/journal/journal.ts'
import { readJournalLines } from '../../store/journal/lines.ts'
import type { LocalJournal } from '../../store/journal/sqlite.ts'
import { heartbeatMs, leaseMs, startHeartbeat } from '../../study/engine/heartbeat.ts'
import { FencedError } from '../../study/worker/task-stop.ts'
import { releaseDeadLeases } from '../study/backend.ts'
import { leaseOwner } from '../study/worker-environment.ts'
import type { BuildWorktrees } from './build-worktrees.ts'

/** Directory, environment, cancellation and output of a build. */
export interface BuildRun {
  cwd: string
  env: EnvironmentVariables
  signal: AbortSignal
  note(text: string): void
  /** Called once for each line of the journal, the stored log of the build, in order. */
  show(line: JournalLine): void
  /**
   * Called with the plan of the planning agent before the build uses it. Resolves to the plan to use,
   * possibly edited; undefined ends the build.
   */
  onPlan?(plan: BuildPlan, tools: PlanTools): Promise<BuildPlan | undefined>
  /**
   * Called with a call of a worker that is another program and runs without a sandbox. Resolves to true if
   * the user allows the call. Undefined: all such calls are denied.
   */
  onCall?: ((call: ReportedCall & { task: string; worker: string }) => Promise<boolean>) | undefined
}

/** Functions for a user who approves or edits a plan. */
export interface PlanTools {
  /**
   * Reads an edited plan. For an invalid plan, rejects with UserError with the reason, and with the line if
   * the error is at one line of the text.
   */
  check(text: string): Promise<BuildPlan>
  estimate(plan: BuildPlan): Promise<PlanCost>
}

export interface BuildLeader {
  readonly state: BuildState
  readonly run: BuildRun
  readonly worktrees: BuildWorktrees
  /** Aborts when the build has to stop after the steps that run now. */
  readonly stop: AbortSignal
  /** Aborts when running commands have to end too. */
  readonly cut: AbortSignal
  /**
   * Appends lines to the journal and to the state. Returns false, and appends nothing, if the journal already
   * has a line with one of the keys. Throws FencedError if another process leads the build now.
   */
  write(...batch: NewJournalLine[]): Promise<boolean>
  /** Adds to `state` the lines that other processes have written to the journal since the last call. */
  catchUp(): Promise<void>
  /** Stores a patch in one or more blobs, which are binary parts. Returns their names in order. */
  store(patch: Uint8Array): Promise<string[]>
  taskOf(id: string): BuildTaskState
  /** Returns the bytes of the blobs, joined in order. A missing blob counts as empty. */
  read(names: readonly string[]): Promise<Buffer>
  /** Hashes of the files in the worktrees, so that unchanged files are not read again. */
  readonly files: FileMemory
  /** Caches that the sandboxes of all commands share. */
  readonly sandboxes: SandboxMemory
  /**
   * Owner of the processes of all commands. They share its watchdog process, its directory
   * and prepared pipes.
   */
  readonly children: ChildOwner
  /** Limit of the checks and merges that run at the same time. They do not count as workers. */
  readonly checks: WorkSlots
  /**
   * Returns the directory with the files of original commits, with which checks compare the tests. Each
   * commit is written once.
   */
  bases(): Promise<BaseMemory>
  /** Journal and lease, for model requests that are paid from the budget of the build. */
  readonly lease: { journal: LocalJournal; study: string; fence: Fence }
  /**
   * Returns true if work has to stop after its current step: the build is cancelled or past its deadline, or
   * this process has to stop or has lost the lease.
   */
  isStopping(): boolean
}

/** Name in the table of leases under which a process is the leader of a build. */
const leaderTask = 'leader'

interface LeaderPlace {
  journal: LocalJournal
  id: string
  run: BuildRun
  cut: AbortSignal
  open(state: BuildState): BuildWorktrees
}

/**
 * Runs `work` while this process has the lease of the build. Throws UserError (exit 1) while another process
 * leads the build.
 */
export async function withBuildLeader<T>(
  place: LeaderPlace,
  work: (leader: BuildLeader) => Promise<T>,
): Promise<T> {
  const { journal, id, run } = place
  const fence = await claimBuild(journal, id)
  const leaseAbort = new AbortController()
  const heartbeat = startHeartbeat({ journal, study: id, fence, leaseMs, heartbeatMs }, (isHeld) => {
    if (!isHeld) leaseAbort.abort(new FencedError())
  })
  const children = new ChildOwner(dataDir(run.env))
  const leave: (() => Promise<void>)[] = [() => children.close()]
  try {
    const { state, catchUp } = await followState(journal, id, run)
    const leader: BuildLeader = {
      state,
      run,
      catchUp,
      worktrees: place.open(state),
      stop: AbortSignal.any([run.signal, leaseAbort.signal]),
      cut: AbortSignal.any([place.cut, leaseAbort.signal]),
      async write(...batch) {
        const done = await journal.append(id, batch, fence)
        if (done.state === 'fenced') throw new FencedError()
        await catchUp()
        return done.state === 'ok'
      },
      async store(patch) {
        const names: string[] = []
        for (let at = 0; at < patch.byteLength; at += maxBlobBytes)
          names.push(await journal.blob(id, patch.subarray(at, at + maxBlobBytes)))
        return names
      },
      async read(names) {
        const parts = await Promise.all(names.map((name) => journal.open(id, name)))
        return Buffer.concat(parts.map((part) => part ?? new Uint8Array()))
      },
      files: new Map(),
      sandboxes: createSandboxMemory(),
      children,
      checks: createCheckSlots(),
      bases: once(() => openBases(dataDir(run.env), leave)),
      lease: { journal, study: id, fence },
      isStopping: () => leader.stop.aborted || whyStopped(state) !== undefined,
      taskOf(task) {
        const taskState = state.tasks.get(task)
        if (!taskState) throw new Error(`the build has no task ${task}`)
        return taskState
      },
    }
    return await work(leader)
  } finally {
    for (const end of leave) await end()
    heartbeat.stop()
    await journal.release(id, leaderTask, fence.owner, false)
  }
}

/**
 * Returns one slot for checks per two processors, but at least two, because the merge queue checks two
 * commits at the same time.
 */
const createCheckSlots = () => new WorkSlots(Math.max(2, Math.floor(availableParallelism() / 2)))

/**
 * Creates the directory for files of original commits. `leave` gets a function that removes the directory.
 */
async function openBases(data: string, leave: (() => Promise<void>)[]): Promise<BaseMemory> {
  const parent = join(data, 'proof')
  makeDirectory(parent, 0o700)
  const folder = await mkdtemp(join(parent, 'p-'))
  leave.push(() => rm(folder, { recursive: true, force: true }))
  return { folder, stored: new Map() }
}

/**
 * Returns `cancelled` if the user has cancelled the build, `limit` after its deadline,
 * and otherwise undefined.
 */
export function whyStopped({ isCancelled, head }: BuildState): TaskEndReason | undefined {
  if (isCancelled) return 'cancelled'
  return head.deadline !== undefined && Date.now() >= head.deadline ? 'limit' : undefined
}

/**
 * Computes the state of a build from its journal. Returns the state, and a function that adds the lines that
 * were written since then to the state. Calls of the returned function run one after the other.
 */
async function followState(journal: LocalJournal, id: string, { show }: BuildRun) {
  const [first] = await journal.read(id, 0, 1)
  if (!first) throw new Error(`the journal of ${id} is empty`)
  const state = beginBuildState(first)
  show(first)
  let last: Promise<void> = Promise.resolve()
  const readOn = async () => {
    for await (const line of readJournalLines(journal, id, state.seq)) {
      advanceBuildState(state, line)
      show(line)
    }
  }
  const catchUp = () => {
    last = last.then(readOn)
    return last
  }
  await catchUp()
  return { state, catchUp }
}

async function claimBuild(journal: LocalJournal, id: string): Promise<Fence> {
  await releaseDeadLeases(journal, id)
  const owner = leaseOwner(process.pid)
  const claimed = await journal.claim({ study: id, task: leaderTask, epoch: 0 }, owner, leaseMs)
  if (claimed.state === 'ok') return { task: leaderTask, epoch: claimed.epoch, owner }
  throw await busyError(journal, id)
}

async function busyError(journal: LocalJournal, id: string): Promise<UserError> {
  const pid = await findLeader(journal, id)
  return new UserError(`busy: pid ${pid ?? 'unknown'} leads build ${id}`, {
    hint: '`anode build watch` follows it, `anode build cancel` ends it',
    exit: 1,
  })
}

/** Returns the pid of the process that has the lease of the build; undefined without a lease. */
export async function findLeader(journal: LocalJournal, id: string): Promise<number | undefined> {
  const owner = (await journal.leases(id)).find(({ task }) => task === leaderTask)?.owner
  const pid = /-(\d+)$/.exec(owner ?? '')?.[1]
  return pid === undefined ? undefined : Number(pid)
}

/** Throws UserError (exit 1) while a process leads the build. */
export async function demandNoLeader(journal: LocalJournal, id: string): Promise<void> {
  await releaseDeadLeases(journal, id)
  if ((await findLeader(journal, id)) !== undefined) throw await busyError(journal, id)
}
