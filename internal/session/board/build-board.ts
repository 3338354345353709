// The board (the shown state) of a build, which terminal, page and API share. Its keys must not change.

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
  /** First line of the text or the command of the task, at most 72 characters. */
  title: string
  state: BuildTaskStatus
  /** Reason why the task was reopened, or why it ended without a merge; null for other tasks. */
  why: string | null
  detail: string | null
  worker: string | null
  attempt: number
  scope: readonly string[]
  after: readonly string[]
  /**
   * Ids of the tasks for which this task waits. If it has not started and the list is empty, it waits for
   * a free worker.
   */
  blockers: readonly string[]
  /**
   * The command that failed in the last check; else, while the task is being checked, queued or being merged,
   * its first check. Null otherwise.
   */
  check: string | null
  flaky: boolean
  commit: string | null
  files: readonly string[]
  /** Thread of the agent of the task. */
  thread: string | null
  /** Usage of the agent of the task. `usd` is null if a price is unknown. */
  tokens: number
  usd: number | null
  /** Milliseconds from the first start of the task to its end, or until now; 0 before the start. */
  ms: number
}

export interface BuildBoard {
  id: string
  goal: string
  workspace: string
  /** `running`, `ended`, or `stopped`, which means that the build can be resumed. */
  status: 'running' | 'ended' | 'stopped'
  end: string | null
  detail: string | null
  branch: string
  base: string
  tip: string
  /**
   * Result of the check at the end of the build: `proven` if it passed, `unproven` if it failed, null
   * before a result. Each merged commit has passed a check before. `not proven`: the build was
   * started with `--no-proof`.
   */
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
  /** The line that `build watch` prints for the entry; null for an entry without a line. */
  text: string | null
}
