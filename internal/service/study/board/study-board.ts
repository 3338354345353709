// How a study stands as data: its tasks with their news, its claims, what it has used.
import type { StudyBoard } from '../../../session/board/study-board.ts'
import type { StudyState } from '../../../study/log/state.ts'
import { isStudyOver } from '../../../study/log/task-end.ts'
import type { TaskState } from '../../../study/log/task-state.ts'
import { documentOf } from '../../../study/report/document.ts'
import { isAbandoned } from '../known-studies.ts'

/** As screens and pages show it. */
export function describeStudy(state: StudyState): StudyBoard {
  const document = documentOf(state)
  const { head, usage, verdicts } = state
  const mail = state.newestMail.map(({ from, to, type, body }) => ({ from, to, type, body }))
  return {
    id: head.id,
    question: head.question,
    status: state.status,
    outcome: document.outcome,
    reason: document.reason,
    abandoned: isAbandoned(state),
    isOver: isStudyOver(state),
    created: head.created,
    updated: state.updated,
    deadline: head.deadline,
    model: head.model.name,
    engine: head.engine,
    workers: head.workers,
    tasks: [...state.tasks.values()].map((task) => describeTask(task)),
    claims: document.claims.map(({ id, task, text, quote, place, evidence, verified, reason }) => ({
      id,
      task,
      text,
      quote,
      place,
      evidence,
      reason,
      verified: verdicts.has(id) ? verified : null,
    })),
    evidence: state.evidence.size,
    coverage: document.coverage,
    citation_accuracy: document.citation_accuracy,
    tokens: usage.input + usage.output,
    max_tokens: head.budget.tokens ?? null,
    usd: usage.usd,
    messages: state.mail,
    last_message: mail.at(-1) ?? null,
    mail,
    notices: document.notices,
    gaps: document.gaps,
  }
}

function describeTask(at: TaskState): StudyBoard['tasks'][number] {
  const { task, status, result, notRun, doing, owner, attempts, steps, started, updated } = at
  const isOver = status === 'ended' || status === 'not_run'
  const end = notRun === undefined ? result?.end : `not run: ${notRun}`
  const why = result?.reason === undefined ? '' : `: ${result.reason}`
  return {
    id: task.id,
    objective: task.objective,
    phase: phaseOf(at),
    news: isOver ? `${end}${why}` : (doing ?? null),
    owner: owner ?? null,
    attempts,
    steps,
    claims: result?.claims.length ?? 0,
    started: started ?? null,
    ended: isOver ? (updated ?? null) : null,
  }
}

function phaseOf({ status, result }: TaskState): StudyBoard['tasks'][number]['phase'] {
  if (status === 'open') return 'waiting'
  if (status === 'leased') return 'running'
  if (result?.end === 'done') return 'done'
  return result?.end === 'failed' || result?.end === 'killed' ? 'failed' : 'short'
}
