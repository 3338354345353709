// List of all runs, studies and experiments with activity, waiting questions and cost; waiting
// ones come first.

import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { countNoun } from '../../base/text/count-noun.ts'
import type { RunSummary } from '../../server/run-summary.ts'
import type { PolledValue } from '../connection/use-polled.ts'
import type { PageScopes } from '../page-scopes.ts'
import { ListRow, shortFolder } from '../part/list-row.ts'
import type { StateTone } from '../part/state-mark.ts'
import { FilterForm } from './filter-form.ts'
import { useListKeys } from './list-keys.ts'
import { ResearchList } from './research-list.ts'
import { filterRuns, noFilter, type RunFilter } from './run-filter.ts'
import { shortModel } from './run-names.ts'
import { StartForm } from './start-form.ts'
import { StudyList } from './study-list.ts'
import { ThreadSearch } from './thread-search.ts'

interface RunsPageProps {
  scopes: PageScopes
  listed: PolledValue<{ runs: RunSummary[] }>
}

export function RunsPage({ scopes, listed: { value, problem } }: RunsPageProps) {
  const [filter, setFilter] = useState<RunFilter>(noFilter)
  useListKeys()
  useEffect(() => {
    document.title = 'Runs · Anode'
  }, [])
  const runs = value?.runs
  const shown = filterRuns(runs ?? [], filter)
  const { words, kind } = filter
  return [
    h(
      'div',
      { class: 'head' },
      h('h1', null, 'Runs'),
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
      isShown(kind, 'runs') &&
      shown.length === 0 &&
      h('p', { class: 'empty' }, runs.length === 0 ? 'No runs yet.' : 'No run fits.'),
    isShown(kind, 'runs') &&
      shown.length > 0 &&
      h(
        'ul',
        { class: 'rows' },
        shown.map((run) => h(RunRow, { key: run.thread, run })),
      ),
    isShown(kind, 'studies') && h(StudyList, { filter }),
    isShown(kind, 'experiments') && h(ResearchList, { filter }),
    words.trim().length > 2 && h(ThreadSearch, { words: words.trim(), known: shown }),
  ]
}

const isShown = (chosen: RunFilter['kind'], kind: RunFilter['kind']) => chosen === 'all' || chosen === kind

function describeCounts(runs: readonly RunSummary[]): string {
  const live = runs.filter(({ state }) => state === 'running').length
  const waiting = runs.filter(({ state }) => state === 'waiting').length
  const waits = waiting === 0 ? 'none waits' : `${countNoun(waiting, 'waits', 'wait')} for you`
  return `${countNoun(runs.length, 'run')}, ${live} at work, ${waits}`
}

function RunRow({ run }: { run: RunSummary }) {
  const { thread, title, started, tokens, usd, workspace, model, profile, worktree } = run
  const branch = worktree ? `${worktree.branch}${worktree.merged ? ', merged' : ''}` : ''
  return h(ListRow, {
    href: `/runs/${thread}`,
    title: title === '' ? thread : title,
    tone: toneOf(run),
    state: describeRun(run),
    about: [profile, shortModel(model), shortFolder(workspace), branch].filter(Boolean).join(' · '),
    tokens,
    usd,
    since: started,
  })
}

function describeRun({ state, waits, end, reason }: RunSummary): string {
  if (state === 'waiting') return `waits: ${waits.join(', ')}`
  const what = state === 'ended' ? (end ?? 'ended') : state
  return reason === null ? what : `${what}: ${reason}`
}

function toneOf({ state, end }: RunSummary): StateTone {
  if (state === 'waiting') return 'wait'
  if (state === 'running') return 'live'
  if (state === 'broken' || end === 'failed') return 'bad'
  return state === 'ended' && end === 'done' ? 'good' : 'quiet'
}
