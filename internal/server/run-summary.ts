// How a run stands, in the words of lists and of the interface.

/** `broken`: its process was killed. */
type RunState = 'running' | 'waiting' | 'idle' | 'ended' | 'broken'

/** The keys are those of `runs list --json` and of `/v1/runs`, and stay. */
export interface RunSummary {
  thread: string
  title: string
  /** Real path. */
  workspace: string
  state: RunState
  /** Of one that has ended, `done` where all went well. */
  end: string | null
  reason: string | null
  /** What a person is asked: tools of calls, and questions. */
  waits: string[]
  profile: string
  model: string
  /** Milliseconds since 1970. */
  started: number
  ended: number | null
  /** Where the run works in a worktree of its own: its branch, and the workspace that it was started in. */
  worktree: { branch: string; origin: string; merged: boolean } | null
  tokens: number | null
  usd: number | null
}
