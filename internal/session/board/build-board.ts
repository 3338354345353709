// Board of a build, shared by terminal, page and API. Its keys must not change.

export type BuildTaskStatus =
  | 'waiting'
  | 'running'
  | 'proving'
  | 'queued'
  | 'merging'
  | 'merged'
  | 'reopened'
  | 'failed'
  | 'not_run'

export interface BuildBoardTask {
  id: string
  /** First line of the work of the task. */
  title: string
  state: BuildTaskStatus
  /** Reason why it was reopened, or ended without a merge. */
  why: string | null
  detail: string | null
  worker: string | null
  attempt: number
  scope: readonly string[]
  after: readonly string[]
  /** Tasks for which it waits. If it has not started and the list is empty, it waits for a free worker. */
  blockers: readonly string[]
  /** Command that is checked, or failed. */
  check: string | null
  flaky: boolean
  commit: string | null
  files: readonly string[]
  /** Thread of the agent of the task. */
  thread: string | null
  /** Usage of the agent of the task. `usd` is null if a price is unknown. */
  tokens: number
  usd: number | null
  /** Milliseconds from the first start to the end, or until now. */
  ms: number
}

export interface BuildBoard {
  id: string
  goal: string
  workspace: string
  /** `running`, `ended`, or `stopped`: it can be resumed. */
  status: 'running' | 'ended' | 'stopped'
  end: string | null
  detail: string | null
  branch: string
  base: string
  tip: string
  /** `proven`: every commit and the closing check passed. `not proven`: the build has no check. */
  proof: 'proven' | 'unproven' | 'not proven' | null
  repaid_steps: number
  queue: readonly string[]
  critical_path: readonly string[]
  tasks: readonly BuildBoardTask[]
  /** Usage of the planner and of all agents. `usd` is null if a price is unknown. */
  tokens: number
  usd: number | null
  /** Creation, last change and time limit of the build, in milliseconds since 1970. */
  created: number
  updated: number
  deadline: number | null
  pid: number | null
}

/** One entry of a build's journal, without the texts of its agents and commands. */
export interface BuildRecord {
  /** Number of the entry, from 1 without gaps. */
  seq: number
  ts: number
  kind: string
  task: string | null
  /** The line of `build watch`; null for an entry without one. */
  text: string | null
}
