// State of a run, for lists and the HTTP interface.
import type { WorktreeConflict } from '../base/text/run-state.ts'

/** State of a run. `broken`: its process was killed. */
type RunState = 'running' | 'waiting' | 'idle' | 'ended' | 'broken'

interface RunWorktree {
  branch: string
  /** Real path of the workspace in which the run was started. */
  origin: string
  merged: boolean
  /**
   * Conflict that stopped the latest merge of the worktree's branch. Null without a merge, and after the
   * merge has continued.
   */
  conflict: WorktreeConflict | null
}

/** Summary of a run, with the keys of `runs list --json` and `/v1/runs`, which must not change. */
export interface RunSummary {
  thread: string
  title: string
  /** Real path of the workspace. */
  workspace: string
  state: RunState
  /**
   * How the latest run ended; `done` means success. Null while the run works or waits, before its first end,
   * and if its process was killed. An idle run, which can continue, has the value of its last end.
   */
  end: string | null
  reason: string | null
  /** Verdict of the check of the latest run, such as `proven by npm test`; null without a check. */
  proof: string | null
  /**
   * What the run waits for from the user: the tools of calls that need approval, then the first question of
   * each open form. Empty if it waits for nothing.
   */
  waits: string[]
  profile: string
  model: string
  /** Start and end of the run, in milliseconds since 1970; the end is null until the run has ended. */
  started: number
  ended: number | null
  /** The separate worktree in which the run works; null if it has none. */
  worktree: RunWorktree | null
  tokens: number | null
  usd: number | null
}
