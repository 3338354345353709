// The work of a worker on the row of one document, from its lease to the typed end of its task.
import type { Model } from '../../model/model.ts'
import type { Fence, JournalLine } from '../../store/journal/journal.ts'
import type { HeartbeatOptions } from '../engine/heartbeat.ts'
import {
  makeStudyEntry,
  type StudyHead,
  type StudyTask,
  type TaskResult,
  toStudyEntry,
} from '../log/entries.ts'
import type { RowCell } from '../log/table-entries.ts'
import type { TaskState } from '../log/task-end.ts'
import { monitorLease } from '../worker/lost-leases.ts'
import { emptyInbox } from '../worker/mail-inbox.ts'
import type { TaskLog, TaskWriter } from '../worker/task-log.ts'
import { FencedError } from '../worker/task-stop.ts'
import { fileRowEvidence } from './row-evidence.ts'
import { type RowEnd, type RowWork, readRow } from './row-reader.ts'

/**
 * Number of consecutive rows that failed after a request to the model; further rows then fail
 * without a request.
 */
const maxFailures = 5

/** The parts of a worker that a row needs. */
interface RowWorker extends Pick<HeartbeatOptions, 'journal' | 'leaseMs' | 'heartbeatMs'> {
  cut?: AbortSignal
  /** Whether the document has to be below the root of the worker. */
  isConfined?: boolean
  /** Returns the context of a task. It uses the signal, which aborts when the lease is lost. */
  setUpTask(head: StudyHead, task: StudyTask, signal: AbortSignal): Promise<Pick<RowWork, 'ctx'>>
}

/** A leased task of a table, and its worker. */
interface LeasedRow {
  worker: RowWorker
  known: TaskState
  log: TaskLog
  fence: Fence
  model: Model
  writer: Pick<TaskWriter, 'finish' | 'pass'>
}

/** Fills the row. Returns whether the task needs no more work. Throws FencedError when the lease is lost. */
export async function fillRow(row: LeasedRow, stopSignal: AbortSignal): Promise<boolean> {
  const { known: taskState } = row
  const { state, lines, seq } = row.log
  const { id, document } = taskState.task
  if (!document) throw new Error(`${id} has no document`)
  if (countFailures(lines) >= maxFailures) {
    const detail = `not tried after ${maxFailures} failed requests`
    const spent = { tokens: 0, usd: 0, steps: 0, ms: 0 }
    return endRow(row, { failed: 'model_failed', detail, spent })
  }
  const { fence, worker } = row
  const { journal, leaseMs, heartbeatMs, cut: cutSignal, isConfined = false } = worker
  const { head } = state
  const base = { journal, study: head.id, fence, leaseMs, heartbeatMs, deadline: head.deadline }
  const hard = new AbortController()
  const watch = monitorLease({ ...base, after: seq, mailInbox: emptyInbox, signal: stopSignal }, () =>
    hard.abort(new FencedError()),
  )
  try {
    const { task } = taskState
    const { ctx } = await worker.setUpTask(head, task, hard.signal)
    const taskLines = lines.filter(({ data }) => data['task'] === id)
    const check = () => watch.check()
    const { model } = row
    const end = await readRow({
      journal,
      head,
      fence,
      model,
      ctx,
      check,
      cut: cutSignal,
      task,
      lines: taskLines,
      isConfined,
    })
    return await endRow(row, end)
  } finally {
    watch.close()
  }
}

/**
 * Returns how many consecutive tasks, up to the latest that has ended, have failed after a request to
 * the model. The count starts again with each entry `status` of the study, and after a task that ended
 * in another way.
 */
function countFailures(lines: readonly JournalLine[]): number {
  let count = 0
  for (const line of lines) {
    const entry = toStudyEntry(line)
    if (entry.kind === 'status') count = 0
    if (entry.kind !== 'task.ended') continue
    const { end, reason = '' } = entry.data.result
    count = end === 'failed' && !unaskedReasons.has(reason) ? count + 1 : 0
  }
  return count
}

/** Reasons for which the row of a document failed without a request to the model. */
const unaskedReasons: ReadonlySet<string> = new Set(['unreadable', 'changed', 'lost'])

/**
 * Writes the row and the end of the task, or returns the task to the queue after a stop other than the budget
 * or the deadline. Returns whether the task needs no more work. Throws FencedError when the lease is lost.
 */
async function endRow(
  { known: taskState, log: { state }, fence, writer }: LeasedRow,
  end: RowEnd,
): Promise<boolean> {
  const { id: task, document } = taskState.task
  const { spent } = end
  const path = document?.path ?? ''
  const nothing = { claims: [], gaps: [path], spent }
  if ('stop' in end) {
    if (end.stop === 'fenced') throw new FencedError()
    if (end.stop === 'budget') return writer.finish({ end: 'budget', ...nothing })
    if (end.stop === 'deadline') return writer.finish({ end: 'timed_out', reason: 'deadline', ...nothing })
    return writer.pass('given back', true)
  }
  if ('failed' in end)
    return writer.finish({ end: 'failed', reason: end.failed, detail: end.detail, ...nothing })
  const file = { task, path, sha256: document?.sha256 ?? '' }
  const key = `row:${fence.task}:${taskState.reopened}`
  if ('why' in end) {
    const { why } = end
    const row = makeStudyEntry('row', { ...file, cells: [], why }, key)
    return writer.finish({ end: 'failed', reason: 'unreadable', detail: why, ...nothing }, [row])
  }
  const { cells, evidence } = fileRowEvidence(task, end.cells, end.document)
  return writer.finish(describeRowEnd(cells, path, state.head, spent), [
    ...evidence.map((one) => makeStudyEntry('evidence', one, `evidence:${one.id}:${taskState.reopened}`)),
    makeStudyEntry('row', { ...file, cells }, key),
  ])
}

function describeRowEnd(
  cells: readonly RowCell[],
  path: string,
  { table }: StudyHead,
  spent: TaskResult['spent'],
): TaskResult {
  const filled = cells.filter(({ value, state }) => value !== '' && state !== 'not_found')
  const empty = (table?.columns ?? []).filter(({ name }) => !filled.some(({ column }) => column === name))
  const gaps = empty.map(({ name }) => `${path}: ${name}`)
  if (gaps.length === 0) return { end: 'done', claims: [], gaps, spent }
  return { end: 'partial', reason: 'empty_cells', claims: [], gaps, spent }
}
