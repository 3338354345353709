// Search in stored conversations, with the text around the match in each of at most 20 results. It also finds
// conversations that are not in the list of runs.

import { h } from 'preact'
import { describeRunState } from '../../base/text/run-state.ts'
import type { FoundThread } from '../../server/backend.ts'
import type { RunSummary } from '../../server/run-summary.ts'
import { usePolled } from '../connection/use-polled.ts'
import { ListRow } from '../part/list-row.ts'
import { revealText } from '../text/shown-text.ts'
import { shortModel } from './run-names.ts'

const maxFound = 20
const pollMs = 60_000

export function ThreadSearch({ words, known: knownRuns }: { words: string; known: readonly RunSummary[] }) {
  const path = `/v1/threads?text=${encodeURIComponent(words)}`
  const { value } = usePolled<{ threads: FoundThread[] }>(path, pollMs)
  const runs = new Map(knownRuns.map((run) => [run.thread, run]))
  const threads = (value?.threads ?? []).slice(0, maxFound)
  if (threads.length === 0) return null
  return h(
    'section',
    { 'aria-labelledby': 'found' },
    h('h2', { id: 'found' }, `Conversations with “${revealText(words)}”`),
    h(
      'ul',
      { class: 'rows' },
      threads.map((one) => {
        const { thread, title, updated, profile, model, snippet } = one
        return h(
          ListRow,
          {
            key: thread,
            href: `/runs/${thread}`,
            title: title === '' ? thread : title,
            tone: 'quiet',
            state: describeRunState(runs.get(thread) ?? one),
            about: `${profile} · ${shortModel(model)}`,
            tokens: null,
            since: updated,
          },
          snippet !== undefined && h('span', { class: 'snippet' }, revealText(snippet)),
        )
      }),
    ),
  )
}
