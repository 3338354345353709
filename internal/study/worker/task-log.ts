// The log of a study, which a worker reads for each of its tasks; of a table's log, only the new lines.
import type { Journal, JournalLine } from '../../store/journal/journal.ts'
import { listJournalLines, readJournalLines } from '../../store/journal/journal-reader.ts'
import { advanceStudyState, foldStudy, type StudyState } from '../log/state.ts'

interface TaskLog {
  lines: readonly JournalLine[]
  state: StudyState
}

/** Logs of tables by study. They are read once, because a worker of a table has up to 1,000 short tasks. */
const followed = new WeakMap<Journal, Map<string, FollowedLog>>()

/** Returns the log up to now. The state of a table advances when its log is read again. */
export async function readTaskLog(journal: Journal, study: string): Promise<TaskLog> {
  const logs = followed.get(journal) ?? new Map<string, FollowedLog>()
  followed.set(journal, logs)
  const known = await logs.get(study)?.readOn()
  if (known) return known
  const lines = await listJournalLines(journal, study)
  const state = foldStudy(lines)
  if (state.head.table) logs.set(study, new FollowedLog(journal, lines, state))
  return { lines, state }
}

class FollowedLog {
  readonly #journal: Journal
  readonly #lines: JournalLine[]
  readonly #state: StudyState
  #last: Promise<unknown> = Promise.resolve()

  constructor(journal: Journal, lines: readonly JournalLine[], state: StudyState) {
    this.#journal = journal
    this.#lines = [...lines]
    this.#state = state
  }

  /** Returns the log with its new lines, or undefined if the journal no longer has the last known line. */
  readOn(): Promise<TaskLog | undefined> {
    // one call at a time, because the state changes in place
    const next = this.#last.then(() => this.#advance())
    this.#last = next.catch(() => undefined)
    return next
  }

  async #advance(): Promise<TaskLog | undefined> {
    const known = this.#lines.at(-1)
    let isKnown = false
    for await (const line of readJournalLines(this.#journal, this.#state.head.id, this.#state.seq - 1)) {
      if (isKnown) {
        advanceStudyState(this.#state, line)
        this.#lines.push(line)
      } else if (line.seq !== known?.seq || line.ts !== known.ts || line.kind !== known.kind) return undefined
      isKnown = true
    }
    return isKnown ? { lines: [...this.#lines], state: this.#state } : undefined
  }
}
