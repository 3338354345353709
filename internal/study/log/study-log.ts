// The log of a study as a coordinator follows it: folded and shown line by line.
import type { Journal, JournalLine } from '../../store/journal/journal.ts'
import { readJournalLines } from '../../store/journal/journal-reader.ts'
import { advanceStudyState, beginStudyState, type StudyState } from './state.ts'

export interface StudyLog {
  readonly state: StudyState
  readonly lines: readonly JournalLine[]
  /** Ended tasks in the order of their ends. */
  readonly ended: readonly string[]
  catchUp(): Promise<void>
}

interface StudyLogOptions {
  journal: Journal
  study: string
  /** Called with each line once, in order. */
  show(line: JournalLine): void
}

/** Reads what there is; `catchUp` takes in what has come since. */
export async function openStudyLog({ journal, study, show }: StudyLogOptions): Promise<StudyLog> {
  const [first] = await journal.read(study, 0, 1)
  if (!first) throw new Error(`the log of ${study} is empty`)
  const state = beginStudyState(first)
  const lines = [first]
  const ended: string[] = []
  show(first)
  const catchUp = async () => {
    for await (const line of readJournalLines(journal, study, state.seq)) {
      advanceStudyState(state, line)
      lines.push(line)
      if (line.kind === 'task.ended') ended.push(String(line.data['task']))
      show(line)
    }
  }
  await catchUp()
  return { state, lines, ended, catchUp }
}
