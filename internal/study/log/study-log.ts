// The log of a study for a coordinator, which reads, shows and interprets each new line.
import type { Journal, JournalLine } from '../../store/journal/journal.ts'
import { readJournalLines } from '../../store/journal/journal-reader.ts'
import { advanceStudyState, beginStudyState, type StudyState } from './state.ts'

export interface StudyLog {
  readonly state: StudyState
  readonly lines: readonly JournalLine[]
  /** Ids of the tasks that have ended, in the order in which they ended, without tasks that did not run. */
  readonly ended: readonly string[]
  catchUp(): Promise<void>
}

interface StudyLogOptions {
  journal: Journal
  study: string
  /** Called with each line once, in order. */
  show(line: JournalLine): void
}

/** Opens the log and reads the existing lines. `catchUp` reads the lines that were added since then. */
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
