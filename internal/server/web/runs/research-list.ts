// The experiment sessions of this data directory, beside its runs.
import { h } from 'preact'
import type { ListedResearch } from '../../../session/board/research-board.ts'
import { usePolled } from '../connection/use-polled.ts'
import { PageLink } from '../page-link.ts'
import { formatAge } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'

const pollMs = 10_000
const maxListed = 50

export function ResearchList({ words }: { words: string }) {
  const { value } = usePolled<{ sessions: ListedResearch[] }>('/v1/research', pollMs)
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = ({ name, objective, metric }: ListedResearch) =>
    wanted.every((word) => `${name}\n${objective}\n${metric}`.toLowerCase().includes(word))
  const shown = (value?.sessions ?? []).filter(fits).slice(0, maxListed)
  if (shown.length === 0) return null
  return h(
    'section',
    { 'aria-labelledby': 'research' },
    h('h2', { id: 'research' }, 'Experiments'),
    h(
      'ul',
      { class: 'runs' },
      shown.map((session) => h(ResearchRow, { key: session.id, session })),
    ),
  )
}

function ResearchRow({ session }: { session: ListedResearch }) {
  const { id, name, objective, metric, counts, stopped, updated } = session
  const standing = `${counts['total'] ?? 0} runs, ${counts['keep'] ?? 0} kept${stopped ? ', all used' : ''}`
  return h(
    'li',
    { class: 'run' },
    h(PageLink, { href: `/research/${id}` }, revealText(name)),
    h('span', { class: 'state' }, standing),
    h(
      'span',
      { class: 'quiet' },
      revealText(`${metric} · ${formatAge(updated, Date.now())} ago · ${objective}`),
    ),
  )
}
