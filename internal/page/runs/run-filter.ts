// Filter and order of the runs in a list.
import type { ListedRun } from './listed-run.ts'

export interface RunFilter {
  words: string
  state: (typeof listStates)[number]
  kind: (typeof listKinds)[number]
  /** Path of the workspace whose runs are shown; empty for all. */
  workspace: string
  model: string
}

export const listStates = ['all', 'waiting', 'running', 'ended', 'broken'] as const
export const listKinds = ['all', 'runs', 'conversations', 'studies', 'experiments', 'builds'] as const

export const noFilter: RunFilter = { words: '', state: 'all', kind: 'all', workspace: '', model: '' }

/**
 * Returns the runs that match the filter: those that wait for the user, then active ones, then the others
 * in their order.
 */
export function filterRuns(runs: readonly ListedRun[], filter: RunFilter): ListedRun[] {
  const { words, state, kind, workspace, model } = filter
  const fits = (run: ListedRun) =>
    (state === 'all' || run.state === state || (state === 'ended' && run.state === 'idle')) &&
    (kind === 'all' || kind === `${run.kind}s`) &&
    (workspace === '' || run.workspace === workspace) &&
    (model === '' || run.model === model) &&
    hasWords(words, [run.title, run.workspace, run.model, run.profile, run.thread, ...run.waits])
  const rank = (run: ListedRun) => ranks[run.state] ?? 2
  return runs.filter(fits).sort((a, b) => rank(a) - rank(b))
}

const ranks: Readonly<Record<string, number>> = { waiting: 0, running: 1 }

/** Returns true if each of the words occurs in at least one of the texts, ignoring case. */
export function hasWords(words: string, texts: readonly string[]): boolean {
  const text = texts.join('\n').toLowerCase()
  const wordList = words.toLowerCase().split(/\s+/).filter(Boolean)
  return wordList.every((word) => text.includes(word))
}
