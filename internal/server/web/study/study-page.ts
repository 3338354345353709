// One study: its tasks on a line of time, what was found and where, what happens, the report.
import { h } from 'preact'
import { useEffect } from 'preact/hooks'
import type { StudyBoard, StudyRecord } from '../../../session/board/study-board.ts'
import { useBoardFeed } from '../connection/use-board-feed.ts'
import { formatCount, formatDuration, formatMoney } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'
import { StudyClaims } from './study-claims.ts'
import { StudyLog } from './study-log.ts'
import { StudyReport } from './study-report.ts'
import { TaskTimeline } from './task-timeline.ts'

export function StudyPage({ id }: { id: string }) {
  const { board, records, stored, broken, problem } = useBoardFeed<StudyBoard, StudyRecord>(
    `/v1/studies/${encodeURIComponent(id)}`,
  )
  const question = board?.question ?? id
  useEffect(() => {
    document.title = `${board?.outcome ?? 'Study'} · ${revealText(question)} · Anode`
  }, [board?.outcome, question])
  const last = records.at(-1)?.seq ?? 0
  return h(
    'div',
    { class: 'run-page', 'data-position': last, 'data-stored': stored },
    h(
      'div',
      { class: 'talk' },
      h('h1', null, revealText(question)),
      h(
        'p',
        { role: 'status', class: 'quiet' },
        broken ?? (board ? describeState(board) : 'Asking the server…'),
      ),
      h('p', { role: 'alert', class: 'problem' }, problem),
      board && [
        h(TaskTimeline, { board }),
        h(StudyClaims, { board }),
        h(StudyReport, { id, version: board.isOver ? `${board.status} ${board.updated}` : undefined }),
      ],
      h(StudyLog, { records }),
    ),
    board && h(StudySide, { board }),
  )
}

/** Few words, said anew only when they change. */
function describeState({ outcome, reason, abandoned, isOver, tasks }: StudyBoard): string {
  if (abandoned) return 'its process is gone; anode study resume takes it up again'
  const done = tasks.filter(({ ended }) => ended !== null).length
  const words = reason === null ? outcome : `${outcome}: ${reason}`
  return revealText(isOver ? words : `${words}, ${done} of ${tasks.length} tasks over`)
}

function StudySide({ board }: { board: StudyBoard }) {
  const { max_tokens: max, tokens, last_message: message } = board
  const share = max ? ` of ${formatCount(max)} (${Math.round((100 * tokens) / max)} %)` : ''
  const cited = board.citation_accuracy
  const facts: [string, string][] = [
    ['model', board.model],
    ['engine', board.engine],
    ['workers', String(board.workers)],
    ['tokens', `${formatCount(tokens)}${share}`],
    ['cost', formatMoney(board.usd)],
    ['time', formatDuration((board.isOver ? board.updated : Date.now()) - board.created)],
    ['coverage', board.coverage.toFixed(2)],
    ['quotations found', cited === null ? 'not looked at yet' : cited.toFixed(2)],
    ['evidence', String(board.evidence)],
    ['messages', String(board.messages)],
  ]
  return h(
    'aside',
    { 'aria-label': 'About this study' },
    h(
      'dl',
      null,
      facts.flatMap(([name, value]) => [h('dt', null, name), h('dd', null, revealText(value))]),
    ),
    message && [
      h('h2', null, 'Newest message'),
      h('p', null, revealText(`${message.from} to ${message.to} (${message.type}): ${message.body}`)),
    ],
    board.gaps.length > 0 && [
      h('h2', null, 'Not found'),
      h(
        'ul',
        null,
        board.gaps.map(({ task, gap }) => h('li', null, revealText(`${task}: ${gap}`))),
      ),
    ],
    board.notices.length > 0 && [
      h('h2', null, 'Notes'),
      h(
        'ul',
        null,
        board.notices.map(({ code, text }) => h('li', null, revealText(`${code}: ${text}`))),
      ),
    ],
  )
}
