// State of a study whose server is lost, from the copy of its log on this machine.
import type { LocalJournal } from '../../store/journal/sqlite.ts'
import { makeStudyEntry } from '../../study/log/entries.ts'
import { advanceStudyState, type StudyState } from '../../study/log/state.ts'
import { openStudyLog } from '../../study/log/study-log.ts'

/**
 * Returns the state as a partial result with the reason `server_lost`. Writes nothing, because the server may
 * have newer lines. Undefined if nothing was copied.
 */
export async function readMirroredState(
  local: Pick<LocalJournal, 'read'>,
  study: string,
): Promise<StudyState | undefined> {
  const [first] = await local.read(study, 0, 1)
  if (!first) return undefined
  const { state } = await openStudyLog({ journal: local as LocalJournal, study, show: () => undefined })
  const end = makeStudyEntry('status', { status: 'partial', reason: 'server_lost' })
  advanceStudyState(state, { ...end, seq: state.seq + 1, ts: Date.now() })
  return state
}
