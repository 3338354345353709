// List of at most 50 builds in this data directory that match the filter, shown next to its runs.
import { h } from 'preact'
import type { BuildBoard } from '../../session/board/build-board.ts'
import { usePolled } from '../connection/use-polled.ts'
import { drawListSection, ListRow, shortFolder } from '../part/list-row.ts'
import type { StateTone } from '../part/state-mark.ts'
import { hasWords, type RunFilter } from './run-filter.ts'

const pollMs = 10_000
const maxListed = 50

export function BuildList({ filter: { words, workspace } }: { filter: RunFilter }) {
  const { value } = usePolled<{ builds: BuildBoard[] }>('/v1/builds', pollMs)
  const fits = (build: BuildBoard) =>
    (workspace === '' || build.workspace === workspace) &&
    hasWords(words, [build.goal, build.workspace, build.id])
  const visibleBuilds = (value?.builds ?? []).filter(fits).slice(0, maxListed)
  const rows = visibleBuilds.map((build) => h(BuildRow, { key: build.id, build }))
  return drawListSection('builds', 'Builds', rows)
}

function BuildRow({ build }: { build: BuildBoard }) {
  const { id, goal, end, status, tasks, branch, workspace, tokens, usd, created } = build
  const merged = tasks.filter(({ state }) => state === 'merged').length
  return h(ListRow, {
    href: `/builds/${id}`,
    title: goal,
    about: [shortFolder(workspace), branch].join(' · '),
    tone: tones[end ?? status] ?? 'quiet',
    state: `${status === 'stopped' ? 'its process is gone' : (end ?? status)}, ${merged} of ${tasks.length}`,
    tokens,
    usd,
    since: created,
  })
}

const tones: Readonly<Record<string, StateTone>> = {
  running: 'live',
  stopped: 'bad',
  done: 'good',
  partial: 'short',
  denied: 'short',
  unverified: 'bad',
  failed: 'bad',
}
