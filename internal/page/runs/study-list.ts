// List of at most 50 studies in this data directory that match the filter, shown next to its runs.
import { h } from 'preact'
import { describeStudyReason } from '../../session/board/study-words.ts'
import { usePolled } from '../connection/use-polled.ts'
import { drawListSection, ListRow, shortFolder } from '../part/list-row.ts'
import type { StateTone } from '../part/state-mark.ts'
import { hasWords, type RunFilter } from './run-filter.ts'

/** A study as `study list --json` prints it, with the fields that the page shows. */
interface ListedStudy {
  id: string
  question: string
  status: string
  /**
   * The status in words for users. If rules did the work instead of a model, the words do not claim that the
   * question is answered.
   */
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

export function StudyList({ filter: { words, workspace } }: { filter: RunFilter }) {
  const { value } = usePolled<{ studies: ListedStudy[] }>('/v1/studies', pollMs)
  const fits = (study: ListedStudy) =>
    (workspace === '' || study.workspace === workspace) &&
    hasWords(words, [study.question, study.workspace, study.id])
  const visibleStudies = (value?.studies ?? []).filter(fits).slice(0, maxListed)
  const rows = visibleStudies.map((study) => h(StudyRow, { key: study.id, study }))
  return drawListSection('studies', 'Studies', rows)
}

function StudyRow({ study }: { study: ListedStudy }) {
  const { id, question, outcome, reason, abandoned, created, tokens, usd, workspace } = study
  const words = reason === null ? outcome : `${outcome}: ${describeStudyReason(reason)}`
  return h(ListRow, {
    href: `/studies/${id}`,
    title: question,
    about: shortFolder(workspace),
    tone: toneOf(study),
    state: abandoned ? 'its process is gone' : words,
    tokens,
    usd,
    since: created,
  })
}

function toneOf({ status, outcome, abandoned }: ListedStudy): StateTone {
  if (abandoned) return 'bad'
  return status === 'done' ? 'good' : (tones[outcome] ?? 'quiet')
}

const tones: Readonly<Record<string, StateTone>> = {
  partial: 'short',
  failed: 'bad',
  running: 'live',
  planning: 'live',
}
