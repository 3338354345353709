// The log of a study in a worker. All tasks of a process share it, and only its new lines are read.
import type { Journal, JournalLine } from '../../store/journal/journal.ts'
import { readJournalLines } from '../../store/journal/journal-reader.ts'
import { type StudyStatus, toStudyEntry } from '../log/entries.ts'
import { advanceStudyState, beginStudyState, type StudyState } from '../log/state.ts'

/** The log as it was when it was read. Its lines and state are shared, and grow with later readings. */
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

/** Returns the log up to now. Calls that come while a reading runs share the next one. */
export async function readTaskLog(journal: Journal, study: string): Promise<TaskLog> {
  const logs = followed.get(journal) ?? new Map<string, FollowedLog>()
  followed.set(journal, logs)
  const known = logs.get(study)
  const log = known ?? new FollowedLog(journal, study)
  // The log that was used last is the last one in the map.
  logs.delete(study)
  logs.set(study, log)
  for (const oldest of [...logs.keys()].slice(0, -maxLogs)) logs.delete(oldest)
  const read = await log.readOn()
  if (read) return read
  if (logs.get(study) === log) logs.delete(study)
  if (known === undefined) throw new Error(`the log of ${study} is empty`)
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
    const known = this.#lines.at(-1)
    let isKnown = known === undefined
    for await (const line of readJournalLines(this.#journal, this.#study, (known?.seq ?? 1) - 1)) {
      if (isKnown) this.#add(line)
      else if (line.seq !== known?.seq || line.ts !== known.ts || line.kind !== known.kind) return undefined
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
