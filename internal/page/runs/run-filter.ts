// Which runs of a list are shown, and in which order.
import type { RunSummary } from '../../server/run-summary.ts'

export interface RunFilter {
  words: string
  state: (typeof listStates)[number]
  kind: (typeof listKinds)[number]
  /** Empty: all. */
  workspace: string
  model: string
}

export const listStates = ['all', 'waiting', 'running', 'idle', 'ended', 'broken'] as const
export const listKinds = ['all', 'runs', 'studies', 'experiments'] as const

export const noFilter: RunFilter = { words: '', state: 'all', kind: 'all', workspace: '', model: '' }

/** All words have to stand somewhere; those that wait come first, the order stays otherwise. */
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

/** Whether each word stands in one of the texts, whatever its case. */
export function hasWords(words: string, texts: readonly string[]): boolean {
  const text = texts.join('\n').toLowerCase()
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return wanted.every((word) => text.includes(word))
}
