// The tasks of a study on one line of time, each with its worker and what it does now.
import { h } from 'preact'
import type { BoardTask, StudyBoard } from '../../../session/board/study-board.ts'
import { formatDuration } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'

const words = { waiting: 'waits', running: 'at work', done: 'done', short: 'ended short', failed: 'failed' }

export function TaskTimeline({ board }: { board: StudyBoard }) {
  const { tasks, created, updated, isOver } = board
  const end = isOver ? updated : Date.now()
  return h(
    'section',
    { 'aria-labelledby': 'tasks' },
    h('h2', { id: 'tasks' }, 'Tasks'),
    h(
      'ul',
      { class: 'tasks' },
      tasks.map((task) => h(TaskRow, { key: task.id, task, created, end })),
    ),
  )
}

function TaskRow({ task, created, end }: { task: BoardTask; created: number; end: number }) {
  const { id, objective, phase, news, owner, attempts, steps, claims, started, ended } = task
  const figures = [
    `${steps} steps`,
    `${claims} claims`,
    ...(started === null ? [] : [formatDuration((ended ?? end) - started)]),
    ...(attempts > 1 ? [`attempt ${attempts}`] : []),
    ...(owner === null ? [] : [`worker ${owner}`]),
  ]
  return h(
    'li',
    { class: `task ${phase}` },
    h('span', null, h('b', null, id), ` ${revealText(objective)}`),
    h('span', { class: 'state' }, revealText(news === null ? words[phase] : `${words[phase]}: ${news}`)),
    h('span', { class: 'quiet' }, revealText(figures.join(' · '))),
    started !== null &&
      h(TimeBar, { from: started - created, to: (ended ?? end) - created, all: end - created }),
  )
}

/** What it shows stands in figures beside it. */
function TimeBar({ from, to, all }: { from: number; to: number; all: number }) {
  const share = (ms: number) => (100 * Math.min(Math.max(ms, 0), all)) / Math.max(all, 1)
  const width = Math.max(share(to) - share(from), 0.5)
  return h(
    'svg',
    { class: 'time-bar', viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    h('rect', { x: 0, y: 1.5, width: 100, height: 1, class: 'track' }),
    h('rect', { x: share(from), y: 0, width, height: 4, class: 'part' }),
  )
}
