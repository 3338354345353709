// Leases that have ended without a word, as lines for the log: each of them once, whoever finds it.
import type { NewJournalLine } from '../../store/journal/journal.ts'
import { makeStudyEntry, type StudyEntries } from '../log/entries.ts'
import type { TaskState } from '../log/task-state.ts'

/** The line about one such lease; who worked for a coordinator that died has lost nothing that counts. */
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
 * The lines that are missing before the lease `epoch`, oldest first: a worker may die before it has written
 * that it starts, and its task may be taken again before the coordinator has looked.
 */
export function listUnrecordedLosses(known: TaskState, epoch: number): NewJournalLine[] {
  const first = known.status === 'leased' ? known.epoch : known.epoch + 1
  return Array.from({ length: Math.max(0, epoch - first) }, (_, i) =>
    makeLossEntry(first + i === known.epoch ? known : { ...known, owner: '' }, first + i),
  )
}
