// Computes the state of a study while its entries arrive one by one.
import type { JournalLine } from '../../store/journal/journal.ts'
import { advanceStudyState, beginStudyState, type StudyState } from '../log/state.ts'

/**
 * Returns a follower, which has to get each line of the log, first the study's first entry. It calls `tell`
 * with the line and the state after it. `isKnown`, which the caller sets for a line that was already shown,
 * is passed on.
 */
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
