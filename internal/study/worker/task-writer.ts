// Writes changes of a task's state to the journal of the study, under the lease of the worker.
import type { Fence, Journal, NewJournalLine } from '../../store/journal/journal.ts'
import { makeStudyEntry, type StudyEntries, type TaskResult } from '../log/entries.ts'
import { endKey, isLimited } from '../log/task-end.ts'
import type { TaskState } from '../log/task-state.ts'
import { FencedError } from './task-stop.ts'

export interface TaskWriter {
  append(...batch: NewJournalLine[]): Promise<void>
  /**
   * Writes how the task ended, together with the lines in `before`. Returns false if the task may be opened
   * again: after a larger limit, or by a resume for a document without a row.
   */
  finish(result: TaskResult, before?: NewJournalLine[]): Promise<boolean>
  /**
   * Leaves the task to another worker. With `free`, this attempt does not count. Returns false, because the
   * task needs more work.
   */
  pass(why: string, free: boolean): Promise<boolean>
}

/**
 * Creates a writer for one task under its lease. All methods throw FencedError once the lease is lost. The
 * lines in `losses` are written together with the first line, because otherwise the task would be open in
 * between and would be given to another worker.
 */
export function createTaskWriter(
  journal: Journal,
  study: string,
  fence: Fence,
  known: TaskState,
  losses: readonly NewJournalLine[] = [],
): TaskWriter {
  let missing = losses
  const append = async (...batch: NewJournalLine[]): Promise<void> => {
    const done = await journal.append(study, [...missing, ...batch], fence)
    if (done.state === 'duplicate' && missing.some(({ key }) => key === done.key)) {
      // The coordinator has written this line meanwhile, so it is left out.
      missing = missing.filter(({ key }) => key !== done.key)
      return append(...batch)
    }
    if (done.state !== 'ok') throw new FencedError()
    missing = []
  }
  return {
    append,
    async finish(result, before = []) {
      await append(...before, makeStudyEntry('task.ended', { task: fence.task, result }, endKey(known)))
      // the task of a document without a row stays open, because a resume reads the document again
      const isRowMissing = known.task.document !== undefined && result.end === 'failed'
      if (isLimited({ result }) || isRowMissing) return false
      await journal.mail.leave(`study:${study}`, fence.task)
      return true
    },
    async pass(why, free) {
      const data: StudyEntries['task.lost'] = { ...fence, why, free: free ? true : undefined }
      await append(makeStudyEntry('task.lost', data, `lost:${fence.task}:${fence.epoch}`))
      return false
    },
  }
}
