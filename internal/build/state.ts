// The state of a build, which is computed from the entries of its journal in their order.
import type { ProofReceipt } from '../proof/prove.ts'
import type { BuildTaskStatus } from '../session/board/build-board.ts'
import type { JournalLine } from '../store/journal/journal.ts'
import type {
  BuildEnd,
  BuildEntry,
  BuildHead,
  BuildTaskResult,
  PaidReply,
  ReopenReason,
  ReportedCall,
  TaskEndReason,
} from './entries.ts'
import type { BuildPlan, BuildTask } from './plan.ts'

/** One task as it is now. */
export interface BuildTaskState {
  readonly task: BuildTask
  status: BuildTaskStatus
  /** Number of the current attempt, from 1; 0 before the first. */
  attempt: number
  /**
   * Number of attempts not counted for the limit: those before a restart by `retry`, and interrupted ones.
   */
  spare: number
  worker?: string
  /** Commit from which the current attempt starts. */
  tip?: string
  /** Number of steps of the current attempt, and of the interrupted ones that it continues. */
  steps: number
  agent: TaskAgentState
  /** `ms`: how long the work took. `ts`: when it ended and its check began, in milliseconds since 1970. */
  step?: { exit: number | null; output: string; ms: number; ts: number; reported?: readonly ReportedCall[] }
  proof?: { receipt: ProofReceipt; isFlaky: boolean }
  result?: BuildTaskResult
  /** Commit that is about to be added to the branch. */
  pending?: { tip: string; commit: string }
  /** Commit of the merged task on the branch. */
  commit?: string
  files?: readonly string[]
  why?: TaskEndReason
  detail?: string
  /**
   * Number of times that the task was reopened, by reason. A `retry` that starts the task again sets
   * it to zero.
   */
  reopened: Partial<Record<ReopenReason, number>>
  /** Ids of the blobs (stored contents) with the patch of the latest attempt. */
  patch: readonly string[]
  /** Start and end of the task, in milliseconds since 1970. */
  started?: number
  ended?: number
}

/** What the agent of a task has done. A command has no responses and no usage. */
interface TaskAgentState {
  thread?: string
  /**
   * `replies`: numbers of the paid responses of all attempts. `paid`: the responses of the current attempt,
   * and of the interrupted ones that it continues.
   */
  replies: Set<number>
  paid: { asked: string; reply: PaidReply }[]
  /** Usage in all attempts. `usd` is null if a price was unknown. */
  spent: { tokens: number; usd: number | null }
  /**
   * Work that a limit or a cancellation has interrupted: its commit, and the ids of the blobs (stored
   * contents) with its patch.
   */
  interrupted?: { base: string; patch: readonly string[] }
  /** Why the task was last reopened, the details, and the blobs with the patch of that attempt. */
  failure?: { why: ReopenReason; detail: string; patch: readonly string[] }
  /** Files of the results that were in conflict, of all attempts since the last restart by `retry`. */
  conflictFiles?: readonly string[]
}

/** Name under which the planner's responses are stored, in place of a task's id; no task may have this id. */
export const plannerKey = 'plan'

export interface BuildState {
  head: BuildHead
  plan: BuildPlan
  /** Thread, responses and usage of the planner. */
  planner: TaskAgentState
  /** The first plan of the planner, if it is not valid. */
  refusal?: { reason: string; text: string }
  readonly tasks: Map<string, BuildTaskState>
  /** Tip of the branch according to the journal. */
  tip: string
  /** Commits of the branch, oldest first. */
  commits: string[]
  leader?: { pid: number; host: string }
  /** Milliseconds from the latest start to the deadline, after a resume. */
  allowedMs?: number
  closing?: ProofReceipt
  end?: BuildEnd
  detail?: string
  isCancelled: boolean
  /** True after `anode build drop`, and while only the plan of the build was requested. */
  isDropped: boolean
  /** Number of steps and responses that were stored, and so paid, twice; above 0 only by a fault. */
  repaid: number
  seq: number
  updated: number
}

const emptyPlan: BuildPlan = { goal: '', until: [], shared: [], tasks: [] }

/** Returns the state after the first line of the journal, the entry `build`. */
export function beginBuildState(first: JournalLine): BuildState {
  const head = first.data as unknown as BuildHead
  const { seq, ts } = first
  return {
    head,
    plan: emptyPlan,
    planner: newAgent(),
    tasks: new Map(),
    tip: head.base,
    commits: [],
    isCancelled: false,
    isDropped: false,
    repaid: 0,
    seq,
    updated: ts,
  }
}

/** Returns the state after all lines of the journal. Throws if the journal is empty. */
export function foldBuild(lines: readonly JournalLine[]): BuildState {
  const [first, ...rest] = lines
  if (!first) throw new Error('the journal of the build is empty')
  const state = beginBuildState(first)
  for (const line of rest) advanceBuildState(state, line)
  return state
}

/**
 * Changes the state by the next line of the journal. A line about an unknown task changes only
 * `seq` and `updated`.
 */
export function advanceBuildState(state: BuildState, line: JournalLine): void {
  state.seq = line.seq
  state.updated = line.ts
  const entry = line as unknown as BuildEntry
  if (entry.kind === 'plan') {
    state.plan = entry.data.plan
    // a build of which only the plan was requested is listed once its plan has started
    state.isDropped = false
    for (const task of entry.data.plan.tasks)
      state.tasks.set(task.id, { task, status: 'waiting', attempt: 0, spare: 0, ...createTaskFields() })
  } else if (entry.kind === 'plan.refused') state.refusal = entry.data
  else if (entry.kind === 'leader') {
    state.leader = entry.data
    state.end = undefined
    state.isCancelled = false
  } else if (entry.kind === 'limits') {
    const { allowedMs, ...limits } = entry.data
    state.head = { ...state.head, ...limits }
    state.allowedMs = allowedMs
  } else if (entry.kind === 'cancel') state.isCancelled = true
  else if (entry.kind === 'dropped') state.isDropped = true
  else if (entry.kind === 'build.ended') {
    state.end = entry.data.end
    state.detail = entry.data.detail
  } else if (entry.kind === 'proof' && entry.data.where === 'closing') state.closing = entry.data.receipt
  else if (isPlannerStep(state, entry)) addReply(state, state.planner, entry.data)
  else if ('task' in entry.data && entry.data.task !== undefined) {
    const task = state.tasks.get(entry.data.task)
    if (task) advanceTask(state, task, entry, line.ts)
  }
}

const newAgent = (): TaskAgentState => ({ replies: new Set(), paid: [], spent: { tokens: 0, usd: 0 } })

const createTaskFields = () => ({
  steps: 0,
  reopened: {},
  patch: [],
  agent: newAgent(),
})

function advanceTask(state: BuildState, task: BuildTaskState, entry: BuildEntry, ts: number): void {
  if (entry.kind === 'task.started') {
    startTask(task, entry.data)
    task.started ??= ts
  } else if (entry.kind === 'step') addStep(state, task, entry.data, ts)
  else if (entry.kind === 'proof')
    // a check that was flaky in the task is still reported as flaky after it has passed before the merge
    task.proof = {
      receipt: entry.data.receipt,
      isFlaky: entry.data.flaky === true || task.proof?.isFlaky === true,
    }
  else if (entry.kind === 'result') {
    task.result = entry.data
    task.patch = entry.data.patch
  } else if (entry.kind === 'queued') task.status = 'queued'
  else if (entry.kind === 'merge.started') {
    task.status = 'merging'
    task.pending = entry.data
  } else if (entry.kind === 'merged') {
    const { commit, files } = entry.data
    Object.assign(task, { status: 'merged', commit, files, ended: ts })
    for (const key of ['why', 'detail', 'pending'] as const) delete task[key]
    state.tip = commit
    state.commits.push(commit)
  } else if (entry.kind === 'reopened') {
    const { why, detail, patch } = entry.data
    Object.assign(task, { status: 'reopened', why, detail, patch })
    task.agent.failure = { why, detail, patch }
    if (why === 'conflict')
      task.agent.conflictFiles = [
        ...new Set([...(task.agent.conflictFiles ?? []), ...(task.result?.files ?? [])]),
      ]
    task.reopened[why] = (task.reopened[why] ?? 0) + 1
  } else if (entry.kind === 'task.ended') {
    const { why, detail, patch, base } = entry.data
    const status = notRunReasons.has(why) && task.attempt === task.spare ? 'not_run' : 'failed'
    Object.assign(task, { status, why, detail, ended: ts })
    if (patch.length > 0) task.patch = patch
    if (base !== undefined) task.agent.interrupted = { base, patch }
  } else if (entry.kind === 'retry') retryTask(task)
}

type TaskStart = Extract<BuildEntry, { kind: 'task.started' }>['data']

/**
 * Starts an attempt of a task. Interrupted work keeps its steps and responses, and its attempt
 * counts only once.
 */
function startTask(task: BuildTaskState, { attempt, worker, tip, thread }: TaskStart): void {
  Object.assign(task, { status: 'running', attempt, worker, tip })
  task.agent.thread = thread
  if (task.agent.interrupted) task.spare++
  else {
    task.steps = 0
    task.agent.paid = []
    delete task.step
  }
  delete task.agent.interrupted
  for (const key of ['proof', 'result', 'pending', 'why', 'ended'] as const) delete task[key]
}

/**
 * Lets a task continue that a limit or a cancellation has ended and that has a result or stored work. Any
 * other task starts again.
 */
function retryTask(task: BuildTaskState): void {
  const isStopped = task.why === 'limit' || task.why === 'cancelled'
  const isQueued = isStopped && task.result !== undefined
  task.status = isQueued ? 'queued' : 'waiting'
  if (!isQueued && !task.agent.interrupted) {
    Object.assign(task, { spare: task.attempt, steps: 0, reopened: {} })
    for (const key of ['step', 'proof', 'result'] as const) delete task[key]
    delete task.agent.conflictFiles
  }
  for (const key of ['why', 'detail', 'ended', 'pending'] as const) delete task[key]
}

type BuildStep = Extract<BuildEntry, { kind: 'step' }>['data']
type PaidStep = Extract<BuildStep, { reply: unknown }>

function addStep(state: BuildState, task: BuildTaskState, step: BuildStep, ts: number): void {
  if ('reply' in step) {
    addReply(state, task.agent, step)
    return
  }
  if (step.n <= task.steps) state.repaid++
  if (step.usd !== undefined) addUsage(task.agent.spent, { input: 0, output: 0, usd: step.usd })
  task.steps = step.n
  task.step = { ...step, ts }
  task.status = 'proving'
}

function isPlannerStep({ head }: BuildState, entry: BuildEntry): entry is { kind: 'step'; data: PaidStep } {
  const { kind, data } = entry
  return kind === 'step' && head.planner !== undefined && data.task === plannerKey && 'reply' in data
}

function addReply(state: BuildState, agent: TaskAgentState, { n, asked: key, reply, usage }: PaidStep): void {
  if (agent.replies.has(n)) state.repaid++
  agent.replies.add(n)
  agent.paid.push({ asked: key, reply })
  addUsage(agent.spent, usage)
}

/** Adds the usage of one response. Once a price was unknown, the sum stays unknown. */
function addUsage(spent: TaskAgentState['spent'], { input, output, usd }: PaidStep['usage']): void {
  spent.tokens += input + output
  spent.usd = spent.usd === null || usd === null ? null : spent.usd + usd
}

const notRunReasons: ReadonlySet<TaskEndReason> = new Set(['dependency', 'limit', 'cancelled'])

const over: ReadonlySet<BuildTaskStatus> = new Set(['merged', 'failed', 'not_run'])

/** Returns true if the task is merged, has failed or was not run. Only a retry changes it then. */
export const isTaskOver = ({ status }: BuildTaskState): boolean => over.has(status)
