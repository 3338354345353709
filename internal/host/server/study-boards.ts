// Studies as the server shows them, from one connection to their journal, opened when it is first needed.
import type { EvidenceLines, StudyBoard, StudyRecord } from '../../server/study-board.ts'
import { listJournalLines } from '../../store/journal/journal-reader.ts'
import type { LocalJournal } from '../../store/journal/sqlite.ts'
import { foldStudy, type StudyState } from '../../study/log/state.ts'
import { isStudyOver } from '../../study/log/task-end.ts'
import type { TaskState } from '../../study/log/task-state.ts'
import { toProgressRecord } from '../../study/progress/progress-record.ts'
import { documentOf } from '../../study/report/document.ts'
import { renderMarkdown } from '../../study/report/markdown.ts'
import { parseLineRanges } from '../../study/verify/line-ranges.ts'
import { isAbandoned } from '../study/known-studies.ts'

interface StudyBoards {
  /** All of these: undefined for what is not there. */
  board(id: string): Promise<StudyBoard | undefined>
  records(id: string, after: number): Promise<StudyRecord[] | undefined>
  evidence(id: string, evidence: string): Promise<EvidenceLines | undefined>
  report(id: string): Promise<string | undefined>
  close(): Promise<void>
}

/** Entries that are read at once. */
const maxRecords = 500

export function openStudyBoards(data: string): StudyBoards {
  let opened: Promise<LocalJournal> | undefined
  const journal = () => {
    opened ??= import('../../store/journal/sqlite.ts').then(({ openJournal }) => openJournal(data))
    return opened
  }
  const stateOf = async (id: string) => {
    const kept = await journal()
    if (!hasStudy(kept, id)) return undefined
    const lines = await listJournalLines(kept, id)
    return lines[0]?.kind === 'study' ? foldStudy(lines) : undefined
  }
  return {
    async board(id) {
      const state = await stateOf(id)
      return state && describeBoard(state)
    },
    async records(id, after) {
      const kept = await journal()
      if (!hasStudy(kept, id)) return undefined
      return (await kept.read(id, after, maxRecords)).map((line) => toProgressRecord(line) as StudyRecord)
    },
    async evidence(id, evidence) {
      const filed = (await stateOf(id))?.evidence.get(evidence)
      return filed && numberLines(filed)
    },
    async report(id) {
      const state = await stateOf(id)
      return state && renderMarkdown(documentOf(state))
    },
    close: async () => (await opened)?.close(),
  }
}

/** The whole id: what a person may shorten, a program may not. */
const hasStudy = ({ studies }: LocalJournal, id: string) =>
  /^\w{20,40}$/.test(id) && studies.find(id, '').some((study) => study.id === id)

function describeBoard(state: StudyState): StudyBoard {
  const document = documentOf(state)
  const { head, usage, verdicts, lastMail } = state
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
      ...{ id, task, text, quote, place, evidence, reason },
      verified: verdicts.has(id) ? verified : null,
    })),
    evidence: state.evidence.size,
    coverage: document.coverage,
    citation_accuracy: document.citation_accuracy,
    tokens: usage.input + usage.output,
    max_tokens: head.budget.tokens ?? null,
    usd: usage.usd,
    messages: state.mail,
    last_message: lastMail
      ? { from: lastMail.from, to: lastMail.to, type: lastMail.type, body: lastMail.body }
      : null,
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

function numberLines(filed: {
  id: string
  canonical: string
  locator: string
  excerpt: string
}): EvidenceLines {
  const { id, canonical: source, locator, excerpt } = filed
  const lines = excerpt.replace(/\n$/, '').split('\n')
  const numbers = (parseLineRanges(locator) ?? []).flatMap(({ from, to }) =>
    Array.from({ length: Math.min(to - from + 1, lines.length) }, (_, i) => from + i),
  )
  return { id, source, locator, lines: lines.map((text, at) => ({ n: numbers[at] ?? null, text })) }
}
