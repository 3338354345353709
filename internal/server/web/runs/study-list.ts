// The studies of this data directory, beside its runs.
import { h } from 'preact'
import { usePolled } from '../connection/use-polled.ts'
import { PageLink } from '../page-link.ts'
import { formatAge, formatCount, formatMoney } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'

/** As far as it is shown, of what `study list --json` has. */
interface ListedStudy {
  id: string
  question: string
  outcome: string
  reason: string | null
  abandoned: boolean
  created: number
  tokens: number
  usd: number | null
  workspace: string
}

const pollMs = 10_000
const maxListed = 50

export function StudyList({ words }: { words: string }) {
  const { value } = usePolled<{ studies: ListedStudy[] }>('/v1/studies', pollMs)
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = ({ question, workspace, id }: ListedStudy) =>
    wanted.every((word) => `${question}\n${workspace}\n${id}`.toLowerCase().includes(word))
  const shown = (value?.studies ?? []).filter(fits).slice(0, maxListed)
  if (shown.length === 0) return null
  return h(
    'section',
    { 'aria-labelledby': 'studies' },
    h('h2', { id: 'studies' }, 'Studies'),
    h(
      'ul',
      { class: 'runs' },
      shown.map((study) => h(StudyRow, { key: study.id, study })),
    ),
  )
}

function StudyRow({ study }: { study: ListedStudy }) {
  const { id, question, outcome, reason, abandoned, created, tokens, usd, workspace } = study
  const how = abandoned ? 'its process is gone' : reason === null ? outcome : `${outcome}: ${reason}`
  const cost = `${formatCount(tokens)} tokens · ${formatMoney(usd)} · `
  return h(
    'li',
    { class: 'run' },
    h(PageLink, { href: `/studies/${id}` }, revealText(question)),
    h('span', { class: 'state' }, revealText(how)),
    h('span', { class: 'quiet' }, `${cost}${formatAge(created, Date.now())} ago · ${revealText(workspace)}`),
  )
}
