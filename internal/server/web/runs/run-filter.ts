// Which runs of a list are shown, and in which order.
import type { RunSummary } from '../../run-summary.ts'

export interface RunFilter {
  words: string
  state: (typeof listStates)[number]
}

export const listStates = ['all', 'waiting', 'running', 'idle', 'ended', 'broken'] as const

/** All words have to stand somewhere; those that wait come first, the order stays otherwise. */
export function filterRuns(runs: readonly RunSummary[], { words, state }: RunFilter): RunSummary[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (run: RunSummary) => {
    const text = [run.title, run.workspace, run.model, run.profile, run.thread, ...run.waits]
      .join('\n')
      .toLowerCase()
    return (state === 'all' || run.state === state) && wanted.every((word) => text.includes(word))
  }
  const rank = (run: RunSummary) => (run.state === 'waiting' ? 0 : 1)
  return runs.filter(fits).sort((a, b) => rank(a) - rank(b))
}
