// Lines for the log about leases that ended without an entry. Each is recorded once, even if several
// processes notice it.
import type { JournalLine, NewJournalLine } from '../../store/journal/journal.ts'
import { makeStudyEntry, type StudyEntries } from '../log/entries.ts'
import type { TaskState } from '../log/task-state.ts'

/**
 * Returns the line about a lease that ended without an entry. If another coordinator took over
 * after the worker's start, the attempt does not count.
 */
export function makeLossEntry({ task, owner = '', inherited }: TaskState, epoch: number): NewJournalLine {
  const why = inherited ? 'its worker went with the coordinator before' : 'its worker is gone'
  const data: StudyEntries['task.lost'] = {
    task: task.id,
    epoch,
    owner,
    why,
    free: inherited ? (true as const) : undefined,
  }
  return makeStudyEntry('task.lost', data, `lost:${task.id}:${epoch}`)
}

/**
 * Returns the missing lines about leases before the lease `epoch`, oldest first. They are missing if a worker
 * died before it recorded its start and another worker took the task before the coordinator noticed that.
 */
export function listUnrecordedLosses(known: TaskState, epoch: number): NewJournalLine[] {
  const first = known.status === 'leased' ? known.epoch : known.epoch + 1
  return Array.from({ length: Math.max(0, epoch - first) }, (_, i) =>
    makeLossEntry(first + i === known.epoch ? known : { ...known, owner: '' }, first + i),
  )
}

/** Returns the lost leases of a task since it was last reopened, oldest first. */
export function listLosses(
  lines: readonly Pick<JournalLine, 'kind' | 'data'>[],
  task: string,
): JournalLine['data'][] {
  const own = lines.filter(({ data }) => data['task'] === task)
  const from = own.findLastIndex(({ kind }) => kind === 'task.reopened') + 1
  return own.slice(from).flatMap(({ kind, data }) => (kind === 'task.lost' ? [data] : []))
}
