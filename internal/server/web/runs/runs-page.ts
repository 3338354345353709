// All runs: what they do, what they wait for, what they cost; those that wait stand first.
import { h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { RunSummary } from '../../run-summary.ts'
import { usePolled } from '../connection/use-polled.ts'
import { PageLink } from '../page-link.ts'
import type { PageScopes } from '../page-scopes.ts'
import { formatAge, formatCount, formatMoney } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'
import { ResearchList } from './research-list.ts'
import { filterRuns, listStates, type RunFilter } from './run-filter.ts'
import { StartForm } from './start-form.ts'
import { StudyList } from './study-list.ts'
import { ThreadSearch } from './thread-search.ts'
import { NoticeSwitch } from './waiting-notice.ts'

const pollMs = 2_000

export function RunsPage({ scopes }: { scopes: PageScopes }) {
  const { value, problem } = usePolled<{ runs: RunSummary[] }>('/v1/runs', pollMs)
  const [filter, setFilter] = useState<RunFilter>({ words: '', state: 'all' })
  useEffect(() => {
    document.title = 'Runs · Anode'
  }, [])
  const runs = value?.runs
  const shown = filterRuns(runs ?? [], filter)
  const waiting = runs?.filter(({ state }) => state === 'waiting').length ?? 0
  return [
    h('h1', null, 'Runs'),
    h(
      'p',
      { role: 'status', class: 'quiet' },
      runs === undefined ? 'Asking the server…' : describeCounts(runs, waiting),
    ),
    h('p', { role: 'alert', class: 'problem' }, problem),
    scopes.includes('act') && h(StartForm, { runs: runs ?? [], scopes }),
    h(FilterForm, { filter, setFilter, runs: runs ?? [] }),
    runs !== undefined &&
      shown.length === 0 &&
      h('p', null, runs.length === 0 ? 'No runs yet.' : 'No run fits.'),
    shown.length > 0 &&
      h(
        'ul',
        { class: 'runs' },
        shown.map((run) => h(RunRow, { key: run.thread, run })),
      ),
    h(StudyList, { words: filter.words }),
    h(ResearchList, { words: filter.words }),
    filter.words.trim().length > 2 && h(ThreadSearch, { words: filter.words.trim(), known: shown }),
  ]
}

interface FilterProps {
  filter: RunFilter
  setFilter(filter: RunFilter): void
  runs: readonly RunSummary[]
}

function FilterForm({ filter, setFilter, runs }: FilterProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyped = event.target instanceof HTMLElement && event.target.closest('input, textarea, select')
      if (event.key !== '/' || isTyped || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const search = (event: Event) => setFilter({ ...filter, words: (event.target as HTMLInputElement).value })
  const choose = (event: Event) =>
    setFilter({ ...filter, state: (event.target as HTMLSelectElement).value as RunFilter['state'] })
  const placeholder = 'title, workspace, model; press /'
  const input = { ref: field, type: 'search', 'aria-keyshortcuts': '/', placeholder, onInput: search }
  const states = listStates.map((state) => h('option', { value: state }, state))
  return h(
    'form',
    { class: 'tools', role: 'search', onSubmit: (event: Event) => event.preventDefault() },
    h('label', null, 'Search ', h('input', input)),
    h('label', null, 'State ', h('select', { onChange: choose }, states)),
    h(NoticeSwitch, { runs }),
  )
}

function describeCounts(runs: readonly RunSummary[], waiting: number): string {
  const live = runs.filter(({ state }) => state === 'running').length
  const waits = waiting === 0 ? 'none waits' : waiting === 1 ? '1 waits for you' : `${waiting} wait for you`
  return `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}, ${live} at work, ${waits}`
}

function RunRow({ run }: { run: RunSummary }) {
  const { thread, title, state, waits, end, reason, started, tokens, usd, workspace, model, profile } = run
  const what =
    state === 'waiting' ? `waits: ${waits.join(', ')}` : state === 'ended' ? (end ?? 'ended') : state
  const cost = tokens === null ? '' : `${formatCount(tokens)} tokens · ${formatMoney(usd)} · `
  return h(
    'li',
    { class: `run ${state}` },
    h(PageLink, { href: `/runs/${thread}` }, revealText(title === '' ? thread : title)),
    h('span', { class: 'state' }, revealText(reason === null ? what : `${what}: ${reason}`)),
    h(
      'span',
      { class: 'quiet' },
      `${cost}${formatAge(started, Date.now())} ago · ${revealText(`${profile} · ${model} · ${workspace}`)}`,
    ),
  )
}
