// The entries of a build's journal, in the usual order. `build` comes first, then `plan`. If the planner's
// first plan is not valid, `plan.refused` comes before `plan`. Each process that leads the build adds
// `leader`. A task writes `task.started`, `step` for each step of its work, `proof`, and `result` together
// with `queued`. The part that merges results one after the other writes `merge.started` with the commit that
// it is about to add, `proof` for that commit, and `merged` after the branch has moved. `reopened` sends a
// task back with a reason, and `task.ended` ends it without a merge. `build.ended` ends the build until a
// process resumes it: `limits` are those of `resume`, and `retry` starts or continues a task that has ended.
// `cancel` stops a build, and `dropped` hides it. The state of a build is computed from these entries only.
import type { EndReason, ModelCarry, ModelToolCall, TokenUsage } from '../model/model.ts'
import type { Mode } from '../policy/level.ts'
import type { ProofReceipt } from '../proof/prove.ts'
import type { SandboxMode } from '../sandbox/sandbox.ts'
import type { BudgetLimits, NewJournalLine } from '../store/journal/journal.ts'
import type { BuildPlan } from './plan.ts'

/** The workers that `--worker` names. Tasks of the plan that name no worker get these in turn. */
export interface BuildPrograms {
  turns: readonly string[]
  /** Time limit in minutes for one attempt of an agent of another program. */
  minutes?: number
}

interface BuildPlanner {
  thread: string
  model?: string
  /** Checks that the user has requested. They are added to `until` of the plan that the planner makes. */
  until: readonly string[]
}

/** The first entry of a build. A later entry `limits` replaces its attempts, budget and deadline. */
export interface BuildHead {
  id: string
  goal: string
  /** Real path of the workspace in which the build was started. */
  project: string
  /** Real path of the top directory of the git checkout that contains `project`. */
  top: string
  /** Commit at which the build starts. */
  base: string
  /** Full name of the branch that was checked out at the start; null for a detached HEAD. */
  from: string | null
  /** Full name of the branch that the build creates. */
  ref: string
  workers: number
  /** Maximum number of attempts of each task. */
  attempts: number
  /** Command that prepares each worktree. */
  setup?: string
  /** Paths relative to `top` that git ignores, and that are copied into each worktree. */
  carry: readonly string[]
  /** False if the user accepts tasks without a check; the branch is then not proven. */
  isProven: boolean
  /** Model of the agents. Default: that of the profile or the configuration. */
  model?: string
  /** What agents may do without approval. Default: `auto`. */
  approval?: Mode
  budget?: BudgetLimits
  programs?: BuildPrograms
  /** The planner, for a build without a plan file. Default model: that of the agents. */
  planner?: BuildPlanner
  sandbox: SandboxMode
  /**
   * Time at which the build was created, in milliseconds since 1970. `deadline` is the time at which it has
   * to end, in the same unit.
   */
  created: number
  deadline?: number
}

/**
 * Reason why a task is reopened. `conflict`: its work does not fit onto the branch. `checks`: a check
 * failed. `scope`: it changed files outside its scope. `no_change`: it ended without a change. `work`:
 * it failed itself.
 */
export type ReopenReason = 'conflict' | 'checks' | 'scope' | 'no_change' | 'work'

/** Reason why a task ended without a merge. */
export type TaskEndReason =
  | ReopenReason
  | 'tampered'
  | 'denied'
  | 'dependency'
  | 'limit'
  | 'cancelled'
  | 'worktree'

/**
 * `done`: every task is merged, and the closing check passed if there is one. `denied`: a task needed an
 * approval. `partial`: without such a task, only some tasks are merged, or a limit was reached. `unverified`:
 * the closing check fails. `cancelled`: the user stopped the build or requested only its plan. `failed`:
 * nothing is merged, for another reason.
 */
export type BuildEnd = 'done' | 'failed' | 'partial' | 'denied' | 'unverified' | 'cancelled'

/** Proof of a task, of a commit before the branch moves to it, or of the finished branch. */
interface ProofEntry {
  task?: string
  attempt?: number
  where: 'task' | 'queue' | 'closing'
  commit?: string
  receipt: ProofReceipt
  /** True if a check failed and then passed on the same tree. */
  flaky?: boolean
}

export interface BuildTaskResult {
  task: string
  attempt: number
  /** Commit from which the work started; `commit` adds the work to it. */
  base: string
  commit: string
  files: readonly string[]
  /** Ids of the blobs (stored contents) that together contain the patch. */
  patch: readonly string[]
}

interface TaskStart {
  task: string
  attempt: number
  worker: string
  tip: string
  worktree: string
  /** Thread of an agent, the same in all attempts. */
  thread?: string
}

/** The end of the work of one attempt: of a command, or of an agent. */
interface WorkStep {
  task: string
  attempt: number
  n: number
  exit: number | null
  ms: number
  output: string
  /** Cost that the agent of another program has reported; null without a report, missing for other work. */
  usd?: number | null
  /** Calls that the agent of another program has reported. Nothing has verified them. */
  reported?: readonly ReportedCall[]
}

/** A call of the agent of another program, in the words of that program. */
export interface ReportedCall {
  title: string
  kind: string | null
  status: string | null
}

/**
 * A paid response of a task's agent or of the planner. `n` is its number over all attempts of the task.
 * `asked` identifies the request, so that a repeated request uses the stored response.
 */
interface PaidStep {
  task: string
  n: number
  asked: string
  reply: PaidReply
  usage: TokenUsage
  ms: number
}

/** The content of a paid response, in the same form as in the journal of a study. */
export interface PaidReply {
  text: string
  calls: readonly ModelToolCall[]
  end: EndReason
  carry?: ModelCarry
}

interface TaskEnd {
  task: string
  why: TaskEndReason
  detail: string
  patch: readonly string[]
  /** For work that a limit or a cancellation has interrupted: the commit on which `patch` continues. */
  base?: string
}

/** Limits of a build that was resumed. They replace those of the head. */
export interface BuildLimits {
  attempts: number
  budget?: BudgetLimits
  deadline?: number
  /** Milliseconds from the latest start to the deadline. */
  allowedMs?: number
}

interface BuildEntries {
  build: BuildHead
  plan: { plan: BuildPlan }
  /** The first plan of the planner, which is not valid. */
  'plan.refused': { reason: string; text: string }
  leader: { pid: number; host: string }
  cancel: Record<string, never>
  dropped: Record<string, never>
  retry: { task: string }
  limits: BuildLimits
  'task.started': TaskStart
  step: WorkStep | PaidStep
  proof: ProofEntry
  result: BuildTaskResult
  queued: { task: string; attempt: number }
  'merge.started': { task: string; tip: string; commit: string }
  merged: { task: string; tip: string; commit: string; files: readonly string[] }
  reopened: { task: string; attempt: number; why: ReopenReason; detail: string; patch: readonly string[] }
  'task.ended': TaskEnd
  'build.ended': { end: BuildEnd; detail: string }
}

export type BuildEntryKind = keyof BuildEntries

/** An entry as it is read from the journal. */
export type BuildEntry = { [K in BuildEntryKind]: { kind: K; data: BuildEntries[K] } }[BuildEntryKind]

/**
 * Returns a line for the journal. A build has at most one line with a given `key`; lines without a
 * key may repeat.
 */
export function makeBuildEntry<K extends BuildEntryKind>(
  kind: K,
  data: BuildEntries[K],
  key?: string,
): NewJournalLine {
  return { kind, data: data as unknown as NewJournalLine['data'], key }
}
