// The reader of one document: by rules, or by a model in a separate conversation.
import type { RunEnd } from '../../agent/run-end.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import { type StudyTask, type TaskResult, toStudyEntry } from '../log/entries.ts'
import type { RowCell, TableRequest } from '../log/table-entries.ts'
import type { TaskSession } from '../worker/task-session.ts'
import type { TaskStop } from '../worker/task-stop.ts'
import { checkRow, isRowNote, missingRowNote, readRowAnswer, writeRowNote } from './row-answer.ts'
import { buildRowPrompt } from './row-prompt.ts'
import about from './row-worker.md'
import { fillRowByRule } from './rule-row.ts'
import { readTableDocument, type TableDocument } from './table-document.ts'
import { openTableSession, type TableSessionHost } from './table-session.ts'

/**
 * End of the work on one document: its cells; `why` it cannot be read; `failed`, the code of another failure;
 * or `stop`, the reason why the worker had to stop.
 */
export type RowEnd = { spent: TaskResult['spent'] } & (
  | { cells: RowCell[]; document: TableDocument }
  | { why: string }
  | { failed: string; detail?: string }
  | { stop: TaskStop['why'] }
)

/** A document, and the worker process that reads it. */
export interface RowWork extends TableSessionHost {
  task: StudyTask
  /** Lines of the log about this task. */
  lines: readonly JournalLine[]
  /** Whether the document has to be below the root, as for a worker that serves other machines. */
  isConfined: boolean
}

const free = { tokens: 0, usd: 0, steps: 0, ms: 0 }

/** Reads the document and fills its row. Never rejects because of the document. */
export async function readRow(work: RowWork): Promise<RowEnd> {
  const { head, task, model, ctx, isConfined } = work
  const { table, question } = head
  if (!table) throw new Error('the study has no table')
  const began = performance.now()
  const spent = () => ({ ...free, ms: Math.round(performance.now() - began) })
  const { path = '', sha256 } = task.document ?? {}
  const document = await readTableDocument(ctx.cwd, path, ctx.signal, isConfined)
  if ('why' in document) return { why: document.why, spent: spent() }
  if (document.sha256 !== sha256)
    return { failed: 'changed', detail: 'the document changed after the start', spent: spent() }
  if (model.kind !== 'rules') return askForRow(work, table, document)
  return { cells: fillRowByRule(table.columns, question, document), document, spent: spent() }
}

async function askForRow(work: RowWork, { columns }: TableRequest, document: TableDocument): Promise<RowEnd> {
  const { task, lines, head } = work
  const opening = buildRowPrompt(task, columns, head.question, document)
  const session = openTableSession(work, { key: task.id, system: about, opening, purpose: 'work' }, lines)
  const replies = lines
    .map(toStudyEntry)
    .flatMap((entry) => (entry.kind === 'step' ? [entry.data.reply.text] : []))
  const check = () => {
    const answers = replies.flatMap((reply) => readRowAnswer(reply, columns) ?? [])
    return answers.length === 0 ? undefined : checkRow(answers, columns, head.question, document)
  }
  const note = (end: RunEnd) => void ('text' in end && replies.at(-1) !== end.text && replies.push(end.text))
  const first = await session.run()
  if (first.end === 'failed') return failRow(first, session)
  note(first)
  let row = check()
  const rowNote = row ? writeRowNote(row) : missingRowNote
  if (rowNote !== undefined && !session.stopped && !session.notes.some(isRowNote)) {
    note(await session.askAgain(rowNote))
    row = check()
  }
  const spent = spentBy(session)
  const stop = session.stopped?.why
  if (stop === 'cancelled' || stop === 'fenced') return { stop, spent }
  if (row) return { cells: row.cells, document, spent }
  if (stop !== undefined) return { stop, spent }
  return { failed: 'bad_result', detail: 'the model returned no row', spent }
}

function failRow({ reason, message }: Extract<RunEnd, { end: 'failed' }>, session: TaskSession): RowEnd {
  const spent = spentBy(session)
  const stop = session.stopped?.why
  return stop === undefined ? { failed: reason, detail: message, spent } : { stop, spent }
}

const spentBy = ({ spent, steps }: TaskSession) => ({ ...spent, ms: Math.round(spent.ms), steps })
