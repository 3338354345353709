// The status of a study as screens show it, computed from its state and its log.
import type {
  BoardMail,
  BoardMessage,
  BoardSpending,
  BoardTask,
  StudyBoard,
  WorkerTurn,
} from '../../session/board/study-board.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import { toStudyEntry } from '../log/entries.ts'
import type { ReadMail, StudyState } from '../log/state.ts'
import { isStudyOver, type TaskState } from '../log/task-end.ts'
import { documentOf } from '../report/document.ts'

/** Returns the status. `isAbandoned`: the process of the study has ended without ending the study. */
export function foldStudyBoard(state: StudyState, isAbandoned: boolean): StudyBoard {
  const document = documentOf(state)
  const { head, verdicts } = state
  return {
    id: head.id,
    question: head.question,
    status: state.status,
    outcome: document.outcome,
    reason: document.reason,
    abandoned: isAbandoned,
    isOver: isStudyOver(state),
    created: head.created,
    updated: state.updated,
    deadline: head.deadline,
    model: head.model.name,
    engine: head.engine,
    workers: head.workers,
    tasks: [...state.tasks.values()].map((task) => describeTask(task)),
    claims: document.claims.map(
      ({ id, task, text, quote, place, evidence, verified, state: checked, reason }) => ({
        id,
        task,
        text,
        quote,
        place,
        evidence,
        reason,
        state: verdicts.has(id) ? checked : null,
        verified: verdicts.has(id) ? verified : null,
      }),
    ),
    evidence: state.evidence.size,
    coverage: document.coverage,
    citation_accuracy: document.citation_accuracy,
    ...describeSpending(state),
    ...describeMail(state.mail),
    notices: document.notices,
    gaps: document.gaps,
  }
}

const describeSpending = ({ head, usage }: StudyState): BoardSpending => ({
  tokens: usage.input + usage.output,
  max_tokens: head.budget.tokens ?? null,
  usd: usage.usd,
})

function describeMail({ count: messages, newest }: ReadMail): BoardMail {
  const mail = newest.map(({ from, to, type, body }) => ({ from, to, type, body }))
  return { messages, last_message: mail.at(-1) ?? null, mail }
}

function describeTask(at: TaskState): BoardTask {
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

export function phaseOf({ status, result }: TaskState): BoardTask['phase'] {
  if (status === 'open') return 'waiting'
  if (status === 'leased') return 'running'
  if (result?.end === 'done') return 'done'
  return result?.end === 'failed' || result?.end === 'killed' ? 'failed' : 'short'
}

const maxRead = 60

/**
 * Returns the status with details for the page and the API: the turns of workers, the latest 60 pieces of
 * evidence and 50 messages, latest first. `lines` are all lines of the study's log.
 */
export function addStudyDetail(
  board: StudyBoard,
  state: StudyState,
  lines: readonly JournalLine[],
): StudyBoard {
  const turns = listTurns(lines)
  const latest = [...state.evidence.values()].slice(-maxRead).reverse()
  return {
    ...board,
    tasks: board.tasks.map((task) => ({ ...task, turns: turns.get(task.id) ?? [] })),
    read: latest.map(({ id, task, tool, canonical: source, locator }) => ({
      id,
      task,
      tool,
      source,
      locator,
    })),
    mailbox: listMessages(lines),
  }
}

const maxMessages = 50

/**
 * Returns the turns of workers by task. A turn begins when a worker starts the task, and ends with the task,
 * with the loss of the worker, or when another worker starts.
 */
function listTurns(lines: readonly JournalLine[]): ReadonlyMap<string, WorkerTurn[]> {
  const turns = new Map<string, WorkerTurn[]>()
  for (const { kind, data, ts } of lines.map(toStudyEntry)) {
    if (kind === 'task.started') {
      const { task, owner, attempt } = data
      const taskTurns = turns.get(task) ?? []
      const before = taskTurns.at(-1)
      // A worker that returned its lease left no entry in the log, so the turn ends when the
      // next worker starts.
      if (before?.ended === null) Object.assign(before, { ended: ts, lost: 'another worker continued' })
      turns.set(task, [...taskTurns, { owner, attempt, started: ts, ended: null, lost: null }])
    }
    const last = 'task' in data && typeof data.task === 'string' ? turns.get(data.task)?.at(-1) : undefined
    if (last?.ended !== null) continue
    if (kind === 'task.ended') last.ended = ts
    if (kind === 'task.lost') Object.assign(last, { ended: ts, lost: data.why })
  }
  return turns
}

/** Returns the latest 50 messages that workers have read, latest first, each once for each recipient. */
function listMessages(lines: readonly JournalLine[]): BoardMessage[] {
  const messages = new Map<string, BoardMessage>()
  for (const { kind, data } of lines.map(toStudyEntry)) {
    if (kind !== 'step') continue
    for (const { id, from, type, body } of data.mail)
      messages.set(`${id} ${data.task}`, { from, to: data.task, type, body })
  }
  return [...messages.values()].slice(-maxMessages).reverse()
}
