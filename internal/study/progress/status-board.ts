// A study on one screen while it runs: a line for each worker, the budget, the messages.

import { countNoun } from '../../base/text/count-noun.ts'
import { makePen, type RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { BoardTask } from '../../session/board/study-board.ts'
import { phaseOf } from '../board/fold-board.ts'
import type { StudyState } from '../log/state.ts'
import type { TaskState } from '../log/task-state.ts'
import { headLine, taskLine } from './progress-lines.ts'

/** The lines at time `now` (ms since 1970), none wider than the terminal, at most `rows` of them. */
export function drawBoard(state: StudyState, look: RenderLook, rows: number, now: number): string[] {
  const pen = makePen(look)
  const line = (text: string) => pen.clip(sanitizeText(text), look.width)
  const { head } = state
  const left = Math.max(0, head.deadline - now)
  const time = `${clock(now - head.created)}, ${clock(left)} left`
  const tasks = [...state.tasks.values()]
  const room = Math.max(1, rows - 5)
  const shown = tasks.length <= room ? tasks : pick(tasks, room - 1)
  const hidden = tasks.length - shown.length
  const { glyphs, paint } = pen
  const marks: Record<BoardTask['phase'], [glyph: string, color?: string]> = {
    waiting: [' '],
    running: [glyphs.bullet, 'blue'],
    done: [glyphs.status.success, 'green'],
    short: [glyphs.status.warning, 'yellow'],
    failed: [glyphs.status.error, 'red'],
  }
  const body = shown.map((task) => {
    const [glyph, color] = marks[phaseOf(task)]
    return (
      `${paint({ color })(glyph)} ` +
      `${pen.clip(sanitizeText(row(task, state, now)), look.width - pen.cells(glyph) - 1)}`
    )
  })
  return [
    paint({ bold: true })(line(head.question)),
    paint({ dim: true })(line(headLine(state))),
    ...body,
    ...(hidden > 0 ? [line(`  ${glyphs.ellipsis} ${countNoun(hidden, 'more task')}`)] : []),
    line(`${state.status}  ${time}  ${spent(state)}`.trimEnd()),
    line(gathered(state)),
  ]
}

/** Running ones first: they are what changes; the order of the plan otherwise. */
function pick(tasks: readonly TaskState[], room: number): TaskState[] {
  const rank = (task: TaskState) => ['running', 'waiting', 'failed', 'short', 'done'].indexOf(phaseOf(task))
  const kept = new Set(tasks.toSorted((a, b) => rank(a) - rank(b)).slice(0, Math.max(0, room)))
  return tasks.filter((task) => kept.has(task))
}

function row(task: TaskState, state: StudyState, now: number): string {
  const { id, objective } = task.task
  switch (phaseOf(task)) {
    case 'waiting':
      return `${id.padEnd(4)} waiting   ${objective}`
    case 'running': {
      const time = task.started === undefined ? '' : `  ${clock(now - task.started)}`
      const attempt = task.attempts > 1 ? `  attempt ${task.attempts}` : ''
      return (
        `${id.padEnd(4)} step ${String(task.steps).padEnd(4)} ` +
        `${task.doing ?? objective}${time}${attempt}`
      )
    }
    default:
      return taskLine(task, state)
  }
}

/** Returns the tokens and cost of the study as text, empty for a model by rules, which costs nothing. */
function spent({ head, usage }: StudyState): string {
  if (head.model.kind === 'rules') return ''
  const used = usage.input + usage.output
  const limit = head.budget.tokens
  const of =
    limit === undefined ? '' : ` of ${limit} (${limit > 0 ? Math.round((used / limit) * 100) : 100}%)`
  const cost = usage.usd === null ? '  cost unknown' : usage.usd > 0 ? `  $${usage.usd.toFixed(4)}` : ''
  return `tokens ${used}${of}${cost}`
}

function gathered({ evidence, claims, mail, newestMail }: StudyState): string {
  const lastMail = newestMail.at(-1)
  const newest = lastMail ? `: ${lastMail.from} to ${lastMail.to} (${lastMail.type}) ${lastMail.body}` : ''
  return `evidence ${evidence.size}  claims ${claims.size}  messages ${mail}${newest}`
}

/** `7 s`, `3:07`. */
function clock(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return seconds < 60
    ? `${seconds} s`
    : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
