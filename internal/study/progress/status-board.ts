// Screen of a running study: a line for each task, the budget, and the latest message.
import type { RenderLook } from '../../render/pen.ts'
import { drawStatusBoard, formatClock } from '../../render/status-board.ts'
import { phaseOf } from '../board/fold-board.ts'
import type { StudyState } from '../log/state.ts'
import type { TaskState } from '../log/task-end.ts'
import { headLine, taskLine } from './progress-lines.ts'

/**
 * Returns the lines of the screen at the time `now` (ms since 1970): at most `rows` lines, none wider
 * than the terminal.
 */
export function drawBoard(state: StudyState, look: RenderLook, rows: number, now: number): string[] {
  const { head, status, tasks } = state
  const remainingMs = Math.max(0, head.deadline - now)
  const time = `${formatClock(now - head.created)}, ${formatClock(remainingMs)} left`
  const board = {
    title: head.question,
    head: headLine(state),
    rows: [...tasks.values()].map((task) => ({
      phase: phaseOf(task),
      text: formatTaskRow(task, state, now),
    })),
    foot: [`${status}  ${time}  ${describeUsage(state)}`.trimEnd(), describeFindings(state)],
  }
  return drawStatusBoard(board, look, rows)
}

function formatTaskRow(task: TaskState, state: StudyState, now: number): string {
  const { id, objective } = task.task
  switch (phaseOf(task)) {
    case 'waiting':
      return `${id.padEnd(4)} waiting   ${objective}`
    case 'running': {
      const time = task.started === undefined ? '' : `  ${formatClock(now - task.started)}`
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

/**
 * Returns tokens and cost of the study as text. It is empty for a model that works by rules,
 * which costs nothing.
 */
function describeUsage({ head, usage }: StudyState): string {
  if (head.model.kind === 'rules') return ''
  const totalTokens = usage.input + usage.output
  const limit = head.budget.tokens
  const of =
    limit === undefined ? '' : ` of ${limit} (${limit > 0 ? Math.round((totalTokens / limit) * 100) : 100}%)`
  const cost = usage.usd === null ? '  cost unknown' : usage.usd > 0 ? `  $${usage.usd.toFixed(4)}` : ''
  return `tokens ${totalTokens}${of}${cost}`
}

function describeFindings({ evidence, claims, mail }: StudyState): string {
  const lastMail = mail.newest.at(-1)
  const newest = lastMail ? `: ${lastMail.from} to ${lastMail.to} (${lastMail.type}) ${lastMail.body}` : ''
  return `evidence ${evidence.size}  claims ${claims.size}  messages ${mail.count}${newest}`
}
