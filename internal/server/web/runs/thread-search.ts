// Conversations in which the words of a search stand, also those that are no runs.
import { h } from 'preact'
import type { ThreadSummary } from '../../../session/client.ts'
import type { RunSummary } from '../../run-summary.ts'
import { usePolled } from '../connection/use-polled.ts'
import { PageLink } from '../page-link.ts'
import { formatAge } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'

const maxFound = 20
const pollMs = 60_000

export function ThreadSearch({ words, known }: { words: string; known: readonly RunSummary[] }) {
  const { value } = usePolled<{ threads: ThreadSummary[] }>(
    `/v1/threads?text=${encodeURIComponent(words)}`,
    pollMs,
  )
  const others = (value?.threads ?? []).filter(({ thread }) => !known.some((run) => run.thread === thread))
  if (others.length === 0) return null
  return h(
    'section',
    { 'aria-labelledby': 'found' },
    h('h2', { id: 'found' }, `Conversations with “${words}”`),
    h(
      'ul',
      { class: 'runs' },
      others
        .slice(0, maxFound)
        .map(({ thread, title, updated, profile, model }) =>
          h(
            'li',
            { class: 'run', key: thread },
            h(PageLink, { href: `/runs/${thread}` }, revealText(title === '' ? thread : title)),
            h(
              'span',
              { class: 'quiet' },
              `${formatAge(updated, Date.now())} ago · ${revealText(`${profile} · ${model}`)}`,
            ),
          ),
        ),
    ),
  )
}
