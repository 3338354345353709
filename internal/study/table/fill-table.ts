// Fills the rows of a table. Each document is read once, by rules or by a model, under the lease
// of the coordinator.

import type { CoordinatorLease } from '../coordinator/coordinator-lease.ts'
import { makeStudyEntry, type TaskResult } from '../log/entries.ts'
import type { TableRow } from '../log/table-entries.ts'
import { endKey } from '../log/task-end.ts'
import { isTaskOver, type TaskState } from '../log/task-state.ts'
import type { TaskStop } from '../worker/task-stop.ts'
import { openRowReader, type RowEnd, type RowReader } from './row-reader.ts'
import { summarizeTable } from './table-summary.ts'

/** Number of consecutive failed requests after which no further row is requested. */
const maxFailures = 5

/**
 * Fills the missing rows. Returns when each document has a row or a reason for having none, or when the
 * study is stopped.
 */
export async function fillTable(lease: CoordinatorLease): Promise<void> {
  const shared = serializeLease(lease)
  const { lead, log } = lease
  const waiting = [...log.state.tasks.values()].filter((task) => !isTaskOver(task) && isCurrent(task, lease))
  const reader = await openRowReader(shared)
  const filling: Filling = { lease: shared, reader, waiting, failures: 0 }
  const runners = lead.model.kind === 'rules' ? 1 : log.state.head.workers
  const settled = await Promise.allSettled(Array.from({ length: runners }, () => fillRows(filling)))
  const failed = settled.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  const { why } = filling.stop ?? {}
  if (why === 'cancelled') return
  if (why === 'deadline' || why === 'budget') await skipRest(filling, why)
  await summarizeTable(shared)
}

/** Returns true if the document of a task still belongs to the table. */
function isCurrent({ task }: TaskState, { log }: CoordinatorLease): boolean {
  const files = log.state.table?.documents.files ?? []
  return files.some(({ path, sha256 }) => path === task.document?.path && sha256 === task.document.sha256)
}

/**
 * Returns a lease that several rows can use at the same time. Its writes and checks run one after the other,
 * because each reads the log and updates the state.
 */
function serializeLease(lease: CoordinatorLease): CoordinatorLease {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
  return {
    ...lease,
    write: (...batch) => inTurn(() => lease.write(...batch)),
    check: () => inTurn(() => lease.check()),
  }
}

interface Filling {
  lease: CoordinatorLease
  reader: RowReader
  /** Tasks that no row runner has taken yet, in order. */
  waiting: TaskState[]
  /** Number of consecutive failed requests. */
  failures: number
  stop?: Pick<TaskStop, 'why'>
}

async function fillRows(filling: Filling): Promise<void> {
  const { lease, waiting } = filling
  try {
    while (!filling.stop) {
      const stop = await lease.check()
      if (stop) filling.stop ??= stop
      const next = filling.stop ? undefined : waiting.shift()
      if (!next) return
      await fillOneRow(filling, next)
    }
  } catch (error) {
    filling.stop ??= { why: 'cancelled' }
    throw error
  }
}

async function fillOneRow(filling: Filling, known: TaskState): Promise<void> {
  const { lease, reader } = filling
  const { lead, fence } = lease
  const { id: task, document } = known.task
  if (!document) return
  const { owner, pid, host } = lead
  const attempt = known.attempts + 1
  await lease.write(makeStudyEntry('task.started', { task, epoch: fence.epoch, owner, attempt, pid, host }))
  const end =
    filling.failures >= maxFailures
      ? { failed: 'model_failed', detail: `not tried after ${maxFailures} failed requests`, spent: none }
      : await reader.read(known)
  if ('stop' in end) {
    filling.stop ??= end.stop
    returnTask(filling, known)
    return
  }
  filling.failures = 'failed' in end ? filling.failures + 1 : 0
  const lines = []
  if ('row' in end) {
    const row: TableRow = { task, ...document, ...end.row }
    lines.push(makeStudyEntry('row', row, `row:${task}`))
  }
  const result = describeEnd(end, document.path, lease)
  await lease.write(...lines, makeStudyEntry('task.ended', { task, result }, endKey(known)))
}

/** Puts a task back into the waiting ones, so that the end of the study gives it a result. */
const returnTask = ({ waiting }: Filling, known: TaskState) => void waiting.unshift(known)

const none = { tokens: 0, usd: 0, steps: 0, ms: 0 }

function describeEnd(
  end: Exclude<RowEnd, { stop: unknown }>,
  path: string,
  { log }: CoordinatorLease,
): TaskResult {
  const { spent } = end
  const nothing = { claims: [], gaps: [path], spent }
  if ('failed' in end) return { end: 'failed', reason: end.failed, detail: end.detail, ...nothing }
  const { cells, why } = end.row
  if (why !== undefined) return { end: 'failed', reason: 'unreadable', detail: why, ...nothing }
  const filled = cells.filter(({ value, state }) => value !== '' && state !== 'not_found')
  const columns = log.state.head.table?.columns ?? []
  const empty = columns.filter(({ name }) => !filled.some(({ column }) => column === name))
  const gaps = empty.map(({ name }) => `${path}: ${name}`)
  if (gaps.length === 0) return { end: 'done', claims: [], gaps, spent }
  return { end: 'partial', reason: 'empty_cells', claims: [], gaps, spent }
}

async function skipRest({ lease, waiting }: Filling, reason: 'deadline' | 'budget'): Promise<void> {
  for (const known of waiting) {
    const task = known.task.id
    await lease.write(makeStudyEntry('task.not_run', { task, reason }, endKey(known)))
  }
}
