// Time line of a study's tasks: each worker's turns as bars, with the current activity.

import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { countNoun } from '../../base/text/count-noun.ts'
import type { BoardTask, StudyBoard, WorkerTurn } from '../../session/board/study-board.ts'
import { describeStudyReason, describeTaskNews } from '../../session/board/study-words.ts'
import { ConfirmButton } from '../part/confirm-button.ts'
import { StateMark, type StateTone } from '../part/state-mark.ts'
import { formatDuration } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'

interface TimelineProps {
  board: StudyBoard
  /** Stops the worker of a task. Undefined: the page may not stop workers. */
  stopWorker: ((task: string) => void) | undefined
}

export function TaskTimeline({ board, stopWorker }: TimelineProps) {
  const { tasks, created, updated, isOver } = board
  const now = useNow(!isOver)
  const end = isOver ? updated : Math.max(now, updated)
  if (tasks.length === 0) return null
  return h(
    'section',
    { 'aria-labelledby': 'tasks' },
    h('h2', { id: 'tasks' }, `Tasks, ${tasks.length}`),
    h(
      'ul',
      { class: 'tasks' },
      tasks.map((task) => h(TaskRow, { key: task.id, task, created, end, stopWorker })),
    ),
    h(
      'p',
      { class: 'time-ends quiet', 'aria-hidden': 'true' },
      h('span', null, '0'),
      h('span', null, formatDuration(end - created)),
    ),
  )
}

/** Returns the current time, updated each second while `isGoing`; afterwards the time of the last update. */
function useNow(isGoing: boolean): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    if (!isGoing) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isGoing])
  return now
}

const words = { waiting: 'waiting', running: 'running', done: 'done', short: 'ended short', failed: 'failed' }
const tones: Readonly<Record<BoardTask['phase'], StateTone>> = {
  waiting: 'quiet',
  running: 'live',
  done: 'good',
  short: 'short',
  failed: 'bad',
}

interface TaskRowProps {
  task: BoardTask
  created: number
  end: number
  stopWorker: TimelineProps['stopWorker']
}

function TaskRow({ task, created, end, stopWorker }: TaskRowProps) {
  const { id, objective, phase, owner, turns = [] } = task
  const isRunning = phase === 'running'
  return h(
    'li',
    { class: `task ${phase}` },
    h('div', { class: 'objective' }, h('b', null, id), ` ${revealText(objective)}`),
    h(StateMark, { tone: tones[phase], words: describePhase(task) }),
    h(
      'div',
      { class: 'quiet facts-line' },
      h('span', null, revealText(describeFigures(task, end))),
      isRunning &&
        owner !== null &&
        stopWorker &&
        h(ConfirmButton, {
          label: 'Stop this worker',
          sure: 'Stop it; another worker continues',
          isPlain: true,
          act: () => stopWorker(id),
        }),
    ),
    turns.length > 0 && h(TurnBars, { turns, phase, created, end }),
  )
}

function describePhase(task: BoardTask): string {
  const { phase } = task
  const news = describeTaskNews(task)
  if (news === null || news === words[phase]) return words[phase]
  return `${words[phase]}: ${news.replace(new RegExp(`^(${phase}|partial): `), '')}`
}

function describeFigures(
  { steps, claims, started, ended: endTime, attempts, owner }: BoardTask,
  end: number,
): string {
  return [
    countNoun(steps, 'step'),
    countNoun(claims, 'claim'),
    ...(started === null ? [] : [formatDuration((endTime ?? end) - started)]),
    ...(attempts > 1 ? [`attempt ${attempts}`] : []),
    ...(owner === null ? [] : [`worker ${owner}`]),
  ].join(' · ')
}

interface BarProps {
  turns: readonly WorkerTurn[]
  phase: BoardTask['phase']
  created: number
  end: number
}

/**
 * Shows each turn as a bar between the start of the study and `end`. Screen readers skip the bars, because
 * the text next to them has the duration.
 */
function TurnBars({ turns, phase, created, end }: BarProps) {
  const all = Math.max(end - created, 1)
  const share = (at: number) => (100 * Math.min(Math.max(at - created, 0), all)) / all
  const bars = turns.map(({ started, ended: endTime, lost, owner, attempt }) => {
    const from = share(started)
    const to = share(endTime ?? end)
    const why = lost === null ? '' : `: ${describeStudyReason(lost)}`
    const name = `${owner}, attempt ${attempt}${why}`
    const look = lost === null ? phase : 'lost'
    return h('rect', { x: from, y: 0, width: Math.max(to - from, 0.4), height: 6, class: look }, [
      h('title', null, revealText(name)),
    ])
  })
  return h(
    'svg',
    { class: 'time-bar', viewBox: '0 0 100 6', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    h('rect', { x: 0, y: 2.5, width: 100, height: 1, class: 'track' }),
    bars,
  )
}
