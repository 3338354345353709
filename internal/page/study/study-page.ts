// Page of one study: its report, its tasks on a time line, its claims with their sources, its events
// and its end.

import { h } from 'preact'
import { useEffect } from 'preact/hooks'
import { countNoun } from '../../base/text/count-noun.ts'
import type { BoardProgress, BoardTask, StudyBoard, StudyRecord } from '../../session/board/study-board.ts'
import { describeStudyReason } from '../../session/board/study-words.ts'
import { useBoardFeed } from '../connection/use-board-feed.ts'
import { useOrder } from '../connection/use-order.ts'
import type { PageScopes } from '../page-scopes.ts'
import { ConfirmButton } from '../part/confirm-button.ts'
import { revealText } from '../text/shown-text.ts'
import { StudyClaims } from './study-claims.ts'
import { StudyLog } from './study-log.ts'
import { StudyReport } from './study-report.ts'
import { StudySide } from './study-side.ts'
import { TaskTimeline } from './task-timeline.ts'

export function StudyPage({ id, scopes }: { id: string; scopes: PageScopes }) {
  const path = `/v1/studies/${encodeURIComponent(id)}`
  const { board, records, stored, broken, problem } = useBoardFeed<StudyBoard, StudyRecord>(path)
  const { order, refused } = useOrder()
  const question = board?.question ?? id
  useEffect(() => {
    document.title = `${board?.outcome ?? 'Study'} · ${revealText(question)} · Anode`
  }, [board?.outcome, question])
  const last = records.at(-1)?.seq ?? 0
  const isLive = board !== undefined && !board.isOver && !board.abandoned
  const canEnd = scopes.includes('act') && isLive
  const stopWorker = (task: string) => order(`${path}/tasks/${encodeURIComponent(task)}/stop`)
  const end = () => void order(`${path}/cancel?force=true`)
  return h(
    'div',
    { class: 'run-page', 'data-position': last, 'data-stored': stored },
    h(
      'div',
      { class: 'talk' },
      h(
        'div',
        { class: 'head' },
        h('h1', null, revealText(question)),
        canEnd && h(ConfirmButton, { label: 'Cancel the study', sure: 'Cancel it now', act: end }),
        h(
          'p',
          { role: 'status', class: 'quiet' },
          broken ?? (board ? describeState(board, board.tasks) : 'Asking the server…'),
        ),
      ),
      h('p', { role: 'alert', class: 'problem' }, problem ?? refused),
      board && [
        h(StudyReport, { id, version: board.isOver ? `${board.status} ${board.updated}` : undefined }),
        h(TaskTimeline, { board, stopWorker: canEnd ? stopWorker : undefined }),
        h(StudyClaims, { board }),
      ],
      h(StudyLog, { records }),
    ),
    board && h(StudySide, { board }),
  )
}

/**
 * Returns the state of the study in a few words that change rarely, because a screen reader reads
 * each change aloud.
 */
function describeState(
  { outcome, reason, abandoned, isOver }: BoardProgress,
  tasks: readonly BoardTask[],
): string {
  if (abandoned) return 'its process is gone; resume it: anode study resume'
  const done = tasks.filter(({ ended: endTime }) => endTime !== null).length
  const words = reason === null ? outcome : `${outcome}: ${describeStudyReason(reason)}`
  return revealText(isOver ? words : `${words}, ${done} of ${countNoun(tasks.length, 'task')} over`)
}
