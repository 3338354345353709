// State of a run for lists and the HTTP interface.

/** State; `broken` means that the process was killed. */
type RunState = 'running' | 'waiting' | 'idle' | 'ended' | 'broken'

/** Summary with the keys of `runs list --json` and `/v1/runs`, which must not change. */
export interface RunSummary {
  thread: string
  title: string
  /** Real path. */
  workspace: string
  state: RunState
  /** End of the latest run, also of an idle one; `done` after success. */
  end: string | null
  reason: string | null
  /** Open questions to a user: tools of calls, and questions. */
  waits: string[]
  profile: string
  model: string
  /** Milliseconds since 1970. */
  started: number
  ended: number | null
  /** Branch of the run's own worktree, and the workspace in which the run was started; null without one. */
  worktree: { branch: string; origin: string; merged: boolean } | null
  tokens: number | null
  usd: number | null
}
