// The tasks of a build: state, worker, time, cost, and what each one waits for.
import { h } from 'preact'
import type { BuildBoard, BuildBoardTask, BuildTaskStatus } from '../../session/board/build-board.ts'
import { describeBuildReason, describeBuildState } from '../../session/board/build-words.ts'
import { PageLink } from '../page-link.ts'
import { StateMark, type StateTone } from '../part/state-mark.ts'
import { formatCount, formatDuration, formatMoney } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'

const tones: Readonly<Record<BuildTaskStatus, StateTone>> = {
  waiting: 'quiet',
  running: 'live',
  proving: 'live',
  queued: 'live',
  merging: 'live',
  merged: 'good',
  reopened: 'short',
  failed: 'bad',
  not_run: 'bad',
}

export function BuildTasks({ board: { tasks } }: { board: BuildBoard }) {
  if (tasks.length === 0) return null
  return h(
    'section',
    { 'aria-labelledby': 'tasks' },
    h('h2', { id: 'tasks' }, `Tasks, ${tasks.length}`),
    h(
      'ul',
      { class: 'tasks' },
      tasks.map((task) => h(TaskRow, { key: task.id, task })),
    ),
  )
}

function TaskRow({ task }: { task: BuildBoardTask }) {
  const { id, title, state, thread, detail } = task
  return h(
    'li',
    { class: 'task' },
    h('div', { class: 'objective' }, h('b', null, revealText(id)), ` ${revealText(title)}`),
    h(StateMark, { tone: tones[state], words: describeState(task) }),
    h(
      'div',
      { class: 'quiet facts-line' },
      h('span', null, revealText(describeFigures(task))),
      thread !== null && h(PageLink, { href: `/runs/${thread}` }, 'Conversation'),
    ),
    state !== 'merged' && detail !== null && h('pre', { class: 'quiet', tabIndex: 0 }, revealText(detail)),
  )
}

function describeState({ state, why, blockers, check }: BuildBoardTask): string {
  const word = describeBuildState(state)
  const reason = why === null ? word : `${word}: ${describeBuildReason(why)}`
  const missing = blockers.join(', ') || 'a worker'
  if (state === 'waiting') return `waits for ${missing}`
  if (state === 'reopened') return `${reason}, waits for ${missing}`
  if (state === 'queued') return blockers.length > 0 ? `queued after ${blockers.join(', ')}` : 'next to merge'
  return (state === 'proving' || state === 'merging') && check !== null ? `${word}: ${check}` : reason
}

/**
 * Returns the figures of a task as text. Tokens and cost are left out if they are zero, as for a task that
 * only runs a command.
 */
function describeFigures({ worker, attempt, ms, tokens, usd, commit, scope, flaky }: BuildBoardTask): string {
  return [
    ...(worker === null ? [] : [worker, formatDuration(ms)]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(tokens > 0 ? [`${formatCount(tokens)} tokens`] : []),
    ...(usd === null ? ['cost unknown'] : usd > 0 ? [formatMoney(usd)] : []),
    ...(commit === null ? [] : [`commit ${commit.slice(0, 10)}`]),
    ...(flaky ? ['its check was flaky'] : []),
    `scope ${scope.join(', ')}`,
  ].join(' · ')
}
