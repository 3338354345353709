// Reader of one document at a time, by rules or by a model. The model has a separate conversation
// for each document.
import type { RunEnd } from '../../agent/run-end.ts'
import type { CoordinatorLease } from '../coordinator/coordinator-lease.ts'
import type { RoleSetup } from '../coordinator/coordinator-options.ts'
import { type StudyTask, type TaskResult, toStudyEntry } from '../log/entries.ts'
import type { TableRequest, TableRow } from '../log/table-entries.ts'
import type { TaskState } from '../log/task-state.ts'
import { emptyInbox } from '../worker/mail-inbox.ts'
import { openTaskSession, type TaskSession } from '../worker/task-session.ts'
import type { TaskStop } from '../worker/task-stop.ts'
import { workShare } from '../worker/worker.ts'
import { checkRow, isRowNote, missingRowNote, readRowAnswer, writeRowNote } from './row-answer.ts'
import { buildRowPrompt } from './row-prompt.ts'
import about from './row-worker.md'
import { fillRowByRule } from './rule-row.ts'
import { readTableDocument, type TableDocument } from './table-document.ts'

/**
 * How the work on one document ended: with its row, with the reason why it has none, or with a reason to
 * stop all work.
 */
export type RowEnd =
  | { row: Pick<TableRow, 'cells' | 'why'>; spent: TaskResult['spent'] }
  | { failed: string; detail?: string; spent: TaskResult['spent'] }
  | { stop: Pick<TaskStop, 'why'> }

export interface RowReader {
  read(known: TaskState): Promise<RowEnd>
}

const free = { tokens: 0, usd: 0, steps: 0, ms: 0 }

/** Opens the reader for the model of the study. */
export async function openRowReader(lease: CoordinatorLease): Promise<RowReader> {
  const { lead, log, gone } = lease
  const { root, question, table } = log.state.head
  if (!table) throw new Error('the study has no table')
  const isByRules = lead.model.kind === 'rules'
  const rows = isByRules ? undefined : await openModelRows(lease, table)
  return {
    async read({ task }) {
      const began = performance.now()
      const { path = '', sha256 } = task.document ?? {}
      const document = await readTableDocument(root, path, gone)
      const spent = { ...free, ms: Math.round(performance.now() - began) }
      if ('why' in document) return { row: { cells: [], why: document.why }, spent }
      if (document.sha256 !== sha256)
        return { failed: 'changed', detail: 'the document changed after the start', spent }
      if (rows) return rows(task, document)
      const cells = fillRowByRule(table.columns, question, document)
      return { row: { cells }, spent: { ...spent, ms: Math.round(performance.now() - began) } }
    },
  }
}

type ReadRow = (task: StudyTask, document: TableDocument) => Promise<RowEnd>

/** Largest number of responses for one row: the row and its corrections. */
const maxRowSteps = 4

async function openModelRows(lease: CoordinatorLease, table: TableRequest): Promise<ReadRow> {
  const setup = await lease.lead.setUpRole('plan', lease.gone)
  const recorded = lease.log.lines.filter(({ data }) => typeof data['task'] === 'string')
  const linesOf = (task: string) => recorded.filter(({ data }) => data['task'] === task)
  return async (task, document) => {
    const { question } = lease.log.state.head
    const opening = buildRowPrompt(task, table.columns, question, document)
    const lines = linesOf(task.id)
    const session = openTableSession(
      lease,
      setup,
      { key: task.id, system: about, opening, purpose: 'work' },
      lines,
    )
    const replies = lines
      .map(toStudyEntry)
      .flatMap((entry) => (entry.kind === 'step' ? [entry.data.reply.text] : []))
    const check = () => {
      const answers = replies.flatMap((reply) => readRowAnswer(reply, table.columns) ?? [])
      return answers.length === 0 ? undefined : checkRow(answers, table.columns, question, document)
    }
    const note = (end: RunEnd) =>
      void ('text' in end && replies.at(-1) !== end.text && replies.push(end.text))
    const first = await session.run()
    if (first.end === 'failed') return failedRow(first, session)
    note(first)
    let row = check()
    const wanted = row ? writeRowNote(row) : missingRowNote
    if (wanted !== undefined && !session.stopped && !session.notes.some(isRowNote)) {
      const second = await session.askAgain(wanted)
      note(second)
      row = check()
    }
    const stopped = session.stopped?.why
    if (stopped === 'cancelled' || stopped === 'fenced') return { stop: { why: 'cancelled' } }
    if (row) return { row: { cells: row.cells }, spent: spentBy(session) }
    if (stopped === 'budget' || stopped === 'deadline') return { stop: { why: stopped } }
    return { failed: 'bad_result', detail: 'the model returned no row', spent: spentBy(session) }
  }
}

function failedRow({ reason, message }: Extract<RunEnd, { end: 'failed' }>, session: TaskSession): RowEnd {
  const stopped = session.stopped?.why
  if (stopped === 'budget' || stopped === 'deadline') return { stop: { why: stopped } }
  if (stopped !== undefined) return { stop: { why: 'cancelled' } }
  return { failed: reason, detail: message, spent: spentBy(session) }
}

const spentBy = ({ spent, steps }: TaskSession) => ({ ...spent, ms: Math.round(spent.ms), steps })

interface TablePrompt {
  /** Name under which the steps of the conversation are stored in the log. */
  key: string
  system: string
  opening: string
  purpose: 'work' | 'synthesise'
}

/** Opens a conversation without tools. It continues from the steps in `lines`. */
export function openTableSession(
  { lead, log, fence, check, cut }: CoordinatorLease,
  { ctx }: RoleSetup,
  { key, system, opening, purpose }: TablePrompt,
  lines: Parameters<typeof openTaskSession>[1],
): TaskSession {
  const { budget, deadline } = log.state.head
  const cap = budget.perWorkerTokens === undefined ? {} : { tokens: budget.perWorkerTokens }
  return openTaskSession(
    {
      budgetLease: {
        journal: lead.journal,
        study: lead.study,
        fence,
        task: key,
        share: purpose === 'work' ? workShare : 1,
        cap,
        priced: budget.usd !== undefined,
        cwd: ctx.cwd,
      },
      model: lead.model,
      tools: [],
      specs: [],
      ctx,
      system: system.trim(),
      opening,
      purpose,
      maxSteps: maxRowSteps,
      deadline,
      mailInbox: emptyInbox,
      check,
      cut,
    },
    lines,
  )
}
