// The log of a study as the worker of one task uses it: read and followed, and written with the lines
// of the task.
import type { Fence, Journal, JournalLine, NewJournalLine } from '../../store/journal/journal.ts'
import { readJournalLines } from '../../store/journal/lines.ts'
import {
  makeStudyEntry,
  type StudyEntries,
  type StudyStatus,
  type TaskResult,
  toStudyEntry,
} from '../log/entries.ts'
import { advanceStudyState, beginStudyState, type StudyState } from '../log/state.ts'
import { endKey, isLimited, type TaskState } from '../log/task-end.ts'
import { FencedError } from './task-stop.ts'

/** The log of a study up to one reading. Its lines and state are shared, and grow with later readings. */
export interface TaskLog {
  lines: readonly JournalLine[]
  state: StudyState
  /** Number of the last line. */
  seq: number
  /** The last line that sets a status of the study. */
  status: StatusLine | undefined
}

interface StatusLine {
  seq: number
  status: StudyStatus
}

/**
 * Largest number of studies whose logs are cached. A worker that serves a queue works on few studies
 * at a time.
 */
const maxLogs = 4

/** Logs by journal and study. A copy for each of up to 64 tasks would take most of a process's memory. */
const followed = new WeakMap<Journal, Map<string, FollowedLog>>()

/**
 * Returns the log up to now. Calls that come while a reading runs share the next one. Throws Error if the
 * log is empty.
 */
export async function readTaskLog(journal: Journal, study: string): Promise<TaskLog> {
  const logs = followed.get(journal) ?? new Map<string, FollowedLog>()
  followed.set(journal, logs)
  const cachedLog = logs.get(study)
  const log = cachedLog ?? new FollowedLog(journal, study)
  // The log that was used last is the last one in the map.
  logs.delete(study)
  logs.set(study, log)
  for (const oldest of [...logs.keys()].slice(0, -maxLogs)) logs.delete(oldest)
  const read = await log.readOn()
  if (read) return read
  if (logs.get(study) === log) logs.delete(study)
  if (cachedLog === undefined) throw new Error(`the log of ${study} is empty`)
  return readTaskLog(journal, study)
}

class FollowedLog {
  readonly #journal: Journal
  readonly #study: string
  readonly #lines: JournalLine[] = []
  #state: StudyState | undefined
  #status: StatusLine | undefined
  #last: Promise<unknown> = Promise.resolve()
  /** The reading that has not begun yet. */
  #next: Promise<TaskLog | undefined> | undefined

  constructor(journal: Journal, study: string) {
    this.#journal = journal
    this.#study = study
  }

  /** Returns the log with its new lines, or undefined if the journal no longer has the last known line. */
  readOn(): Promise<TaskLog | undefined> {
    if (this.#next) return this.#next
    // one reading at a time, because the state changes in place
    const next = this.#last.then(() => {
      this.#next = undefined
      return this.#advance()
    })
    this.#next = next
    this.#last = next.catch(() => undefined)
    return next
  }

  async #advance(): Promise<TaskLog | undefined> {
    const lastLine = this.#lines.at(-1)
    let isKnown = lastLine === undefined
    for await (const line of readJournalLines(this.#journal, this.#study, (lastLine?.seq ?? 1) - 1)) {
      if (isKnown) this.#add(line)
      else if (line.seq !== lastLine?.seq || line.ts !== lastLine.ts || line.kind !== lastLine.kind)
        return undefined
      isKnown = true
    }
    const state = this.#state
    if (!isKnown || !state) return undefined
    return { lines: this.#lines, state, seq: state.seq, status: this.#status }
  }

  #add(line: JournalLine): void {
    if (this.#state) advanceStudyState(this.#state, line)
    else this.#state = beginStudyState(line)
    this.#lines.push(line)
    const { kind, data } = toStudyEntry(line)
    if (kind === 'status') this.#status = { seq: line.seq, status: data.status }
  }
}

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
 * Creates a writer for one task under its lease. All methods throw FencedError once the lease is lost, and
 * for a line whose key exists already. The lines in `losses` are written together with the first line,
 * because otherwise the task would be open in between and would be given to another worker.
 */
export function createTaskWriter(
  journal: Journal,
  study: string,
  fence: Fence,
  taskState: TaskState,
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
      await append(...before, makeStudyEntry('task.ended', { task: fence.task, result }, endKey(taskState)))
      // the task of a document without a row stays open, because a resume reads the document again
      const isRowMissing = taskState.task.document !== undefined && result.end === 'failed'
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
