// The state of a study while its entries come one by one.
import type { JournalLine } from '../../store/journal/journal.ts'
import { advanceStudyState, beginStudyState, type StudyState } from '../log/state.ts'

/** Gives `tell` each new entry with the state after it. The first entry is the head of the study. */
export function followProgress(tell: (line: JournalLine, state: StudyState, isKnown: boolean) => void): {
  line(line: JournalLine, isKnown?: boolean): void
  /** Returns the state; undefined before the first entry. */
  state(): StudyState | undefined
} {
  let state: StudyState | undefined
  return {
    line(line, isKnown = false) {
      if (state) advanceStudyState(state, line)
      else state = beginStudyState(line)
      tell(line, state, isKnown)
    },
    state: () => state,
  }
}
