// State of a run for lists and the HTTP interface.
import type { WorktreeConflict } from '../base/text/run-state.ts'

/** State; `broken` means that the process was killed. */
type RunState = 'running' | 'waiting' | 'idle' | 'ended' | 'broken'

interface RunWorktree {
  branch: string
  /** Real path of the workspace in which the run was started. */
  origin: string
  merged: boolean
  /** Conflict at which the latest merge stopped; null without one, or after it has continued. */
  conflict: WorktreeConflict | null
}

/** Summary with the keys of `runs list --json` and `/v1/runs`, which must not change. */
export interface RunSummary {
  thread: string
  title: string
  /** Real path of the workspace. */
  workspace: string
  state: RunState
  /** End of the latest run, also of an idle one; `done` after success. */
  end: string | null
  reason: string | null
  /** Open questions to a user: tools of calls, and questions. */
  waits: string[]
  profile: string
  model: string
  /** Start and end of the run, in milliseconds since 1970. */
  started: number
  ended: number | null
  /** The run's own worktree; null without one. */
  worktree: RunWorktree | null
  tokens: number | null
  usd: number | null
}
