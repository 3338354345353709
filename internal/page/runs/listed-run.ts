// A row of the list of runs: a run in a separate process, or a conversation of a terminal.
import type { FoundThread } from '../../server/backend.ts'
import type { RunSummary } from '../../server/run-summary.ts'

export interface ListedRun extends RunSummary {
  kind: 'run' | 'conversation'
  /** Time of the run's last event, or else of its end or start, in milliseconds since 1970. */
  updated: number
}

/**
 * Returns runs and conversations in one list, each thread once, latest first: active ones by their start, so
 * that rows do not move while they work, all others by their last activity.
 */
export function mergeConversations(
  runs: readonly RunSummary[],
  threads: readonly FoundThread[],
): ListedRun[] {
  const stored = new Map(threads.map((one) => [one.thread, one]))
  const runThreads = new Set(runs.map(({ thread }) => thread))
  const listed = runs.map((run): ListedRun => {
    const updated = stored.get(run.thread)?.updated ?? run.ended ?? run.started
    return { ...run, kind: 'run', updated }
  })
  const others = threads.filter(({ thread }) => !runThreads.has(thread)).map(toListed)
  return [...listed, ...others].sort((a, b) => timeOf(b) - timeOf(a))
}

const timeOf = ({ state, started, updated }: ListedRun) =>
  state === 'running' || state === 'waiting' ? started : updated

function toListed({ snippet: _, events: __, branch: ___, ...thread }: FoundThread): ListedRun {
  return { ...thread, kind: 'conversation', proof: null, ended: null, worktree: null }
}
