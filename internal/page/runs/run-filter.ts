// Filter and order of the runs in a list.
import type { RunSummary } from '../../server/run-summary.ts'

export interface RunFilter {
  words: string
  state: (typeof listStates)[number]
  kind: (typeof listKinds)[number]
  /** Workspace; empty: all. */
  workspace: string
  model: string
}

export const listStates = ['all', 'waiting', 'running', 'idle', 'ended', 'broken'] as const
export const listKinds = ['all', 'runs', 'studies', 'experiments'] as const

export const noFilter: RunFilter = { words: '', state: 'all', kind: 'all', workspace: '', model: '' }

/** Returns the runs that match the filter; waiting runs come first, otherwise the order stays. */
export function filterRuns(runs: readonly RunSummary[], filter: RunFilter): RunSummary[] {
  const { words, state, workspace, model } = filter
  const fits = (run: RunSummary) =>
    (state === 'all' || run.state === state) &&
    (workspace === '' || run.workspace === workspace) &&
    (model === '' || run.model === model) &&
    hasWords(words, [run.title, run.workspace, run.model, run.profile, run.thread, ...run.waits])
  const rank = (run: RunSummary) => (run.state === 'waiting' ? 0 : 1)
  return runs.filter(fits).sort((a, b) => rank(a) - rank(b))
}

/** Returns whether each word occurs in one of the texts, ignoring case. */
export function hasWords(words: string, texts: readonly string[]): boolean {
  const text = texts.join('\n').toLowerCase()
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return wanted.every((word) => text.includes(word))
}
