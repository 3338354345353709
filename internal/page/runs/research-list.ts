// List of at most 50 experiment sessions in this data directory that match the filter, shown next
// to its runs.

import { h } from 'preact'
import { countNoun } from '../../base/text/count-noun.ts'
import type { ListedResearch } from '../../session/board/research-board.ts'
import { usePolled } from '../connection/use-polled.ts'
import { drawListSection, ListRow } from '../part/list-row.ts'
import { hasWords, type RunFilter } from './run-filter.ts'

const pollMs = 10_000
const maxListed = 50

export function ResearchList({ filter: { words } }: { filter: RunFilter }) {
  const { value } = usePolled<{ sessions: ListedResearch[] }>('/v1/research', pollMs)
  const fits = ({ name, objective, metric }: ListedResearch) => hasWords(words, [name, objective, metric])
  const visibleSessions = (value?.sessions ?? []).filter(fits).slice(0, maxListed)
  const rows = visibleSessions.map((session) => h(ResearchRow, { key: session.id, session }))
  return drawListSection('research', 'Experiments', rows)
}

function ResearchRow({ session }: { session: ListedResearch }) {
  const { id, name, objective, metric, counts, stopped, usd, updated } = session
  const total = counts['total'] ?? 0
  const keptCount = counts['keep'] ?? 0
  return h(ListRow, {
    href: `/research/${id}`,
    title: name,
    about: [metric, objective].filter(Boolean).join(' · '),
    tone: keptCount > 0 ? 'good' : 'quiet',
    state: `${countNoun(total, 'run')}, ${keptCount} kept${stopped ? ', all used' : ''}`,
    tokens: null,
    usd,
    since: updated,
  })
}
