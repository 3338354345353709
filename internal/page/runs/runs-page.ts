// Page with lists of the latest runs and conversations, and of studies, experiments and builds. Runs and
// conversations that wait for the user come first.

import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { countNoun } from '../../base/text/count-noun.ts'
import { describeRunState } from '../../base/text/run-state.ts'
import type { RunSummary } from '../../server/run-summary.ts'
import type { PageScopes } from '../page-scopes.ts'
import { ListRow, shortFolder } from '../part/list-row.ts'
import type { StateTone } from '../part/state-mark.ts'
import { BuildList } from './build-list.ts'
import { FilterForm } from './filter-form.ts'
import { useListKeys } from './list-keys.ts'
import type { ListedRun } from './listed-run.ts'
import { ResearchList } from './research-list.ts'
import { filterRuns, noFilter, type RunFilter } from './run-filter.ts'
import { shortModel } from './run-names.ts'
import { StartForm } from './start-form.ts'
import { StudyList } from './study-list.ts'
import { ThreadSearch } from './thread-search.ts'

interface RunsPageProps {
  scopes: PageScopes
  /** Undefined until the server has answered. */
  runs: readonly ListedRun[] | undefined
  problem: string | undefined
}

export function RunsPage({ scopes, runs, problem }: RunsPageProps) {
  const [filter, setFilter] = useState<RunFilter>(noFilter)
  useListKeys()
  useEffect(() => {
    document.title = 'Runs · Anode'
  }, [])
  const visibleRuns = filterRuns(runs ?? [], filter)
  const { words, kind } = filter
  const isListed = kind === 'all' || kind === 'runs' || kind === 'conversations'
  return [
    h(
      'div',
      { class: 'head' },
      h('h1', null, 'Runs and conversations'),
      h(
        'p',
        { role: 'status', class: 'quiet' },
        runs === undefined ? 'Asking the server…' : describeCounts(runs),
      ),
    ),
    h('p', { role: 'alert', class: 'problem' }, problem),
    scopes.includes('act') && h(StartForm, { runs: runs ?? [], scopes }),
    h(FilterForm, { filter, setFilter, runs: runs ?? [] }),
    runs !== undefined &&
      isListed &&
      visibleRuns.length === 0 &&
      h('p', { class: 'empty' }, runs.length === 0 ? 'No runs or conversations yet.' : 'No match.'),
    isListed &&
      visibleRuns.length > 0 &&
      h(
        'ul',
        { class: 'rows' },
        visibleRuns.map((run) => h(RunRow, { key: run.thread, run })),
      ),
    isShown(kind, 'studies') && h(StudyList, { filter }),
    isShown(kind, 'experiments') && h(ResearchList, { filter }),
    isShown(kind, 'builds') && h(BuildList, { filter }),
    words.trim().length > 2 && h(ThreadSearch, { words: words.trim(), known: visibleRuns }),
  ]
}

const isShown = (filterKind: RunFilter['kind'], kind: RunFilter['kind']) =>
  filterKind === 'all' || filterKind === kind

function describeCounts(runs: readonly ListedRun[]): string {
  const count = (state: RunSummary['state']) => runs.filter((run) => run.state === state).length
  const conversations = runs.filter(({ kind }) => kind === 'conversation').length
  const waiting = count('waiting')
  return [
    countNoun(runs.length - conversations, 'run'),
    countNoun(conversations, 'conversation'),
    `${count('running')} running`,
    waiting === 0 ? 'none waits' : `${countNoun(waiting, 'waits', 'wait')} for you`,
  ].join(', ')
}

function RunRow({ run }: { run: ListedRun }) {
  const { thread, title, updated, tokens, usd, workspace, model, profile, worktree } = run
  const branch = worktree ? `${worktree.branch}${worktree.merged ? ', merged' : ''}` : ''
  return h(ListRow, {
    href: `/runs/${thread}`,
    title: title === '' ? thread : title,
    tone: toneOf(run),
    state: describeRunState(run),
    about: [profile, shortModel(model), shortFolder(workspace), branch].filter(Boolean).join(' · '),
    tokens,
    usd,
    since: updated,
  })
}

function toneOf({ state, end, worktree }: RunSummary): StateTone {
  if (state === 'waiting') return 'wait'
  if (state === 'running') return 'live'
  if (worktree?.conflict) return 'wait'
  if (state === 'broken' || end === 'failed') return 'bad'
  if (end === 'partial') return 'short'
  return end === 'done' ? 'good' : 'quiet'
}
