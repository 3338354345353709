// Progress for programs: one small object for each entry, without the long texts of responses, results,
// evidence and reports.
import type { JournalLine } from '../../store/journal/journal.ts'
import { type StudyEntry, toStudyEntry } from '../log/entries.ts'

/**
 * Returns an object for an entry: its `seq`, `ts` and `kind`, and the facts that a program needs to
 * follow the study.
 */
export function toProgressRecord(line: JournalLine): Record<string, unknown> {
  const { seq, ts, kind } = line
  return { seq, ts, kind, ...pickEntryFields(toStudyEntry(line)) }
}

function pickEntryFields(entry: StudyEntry): object {
  switch (entry.kind) {
    case 'step': {
      const { task, n, reply, usage, mail, ms } = entry.data
      return { task, n, calls: reply.calls.map((call) => call.name), mail: mail.length, ...usage, ms }
    }
    case 'result': {
      const { text: _, ...rest } = entry.data
      return rest
    }
    case 'evidence': {
      const { excerpt: _, ...rest } = entry.data
      return rest
    }
    case 'report': {
      const { markdown: _, ...rest } = entry.data
      return rest
    }
    default:
      return entry.data
  }
}
