// State of a study whose server is lost, from the copy of its log on this machine.
import { FailureError } from '../../base/errors.ts'
import type { LocalJournal } from '../../store/journal/sqlite.ts'
import { openStudyLog } from '../../study/coordinator/coordinator-lease.ts'
import { makeStudyEntry } from '../../study/log/entries.ts'
import { advanceStudyState, type StudyState } from '../../study/log/state.ts'

/**
 * Returns the state as a partial result with the reason `server_lost`. Writes nothing, because the server may
 * have newer lines. Undefined if nothing was copied.
 */
export async function readMirroredState(
  local: Pick<LocalJournal, 'read'>,
  study: string,
): Promise<StudyState | undefined> {
  if (!(await isCopied(local, study))) return undefined
  const { state } = await openStudyLog({ journal: local as LocalJournal, study, show: () => undefined })
  const end = makeStudyEntry('status', { status: 'partial', reason: 'server_lost' })
  advanceStudyState(state, { ...end, seq: state.seq + 1, ts: Date.now() })
  return state
}

async function isCopied(local: Pick<LocalJournal, 'read'>, study: string): Promise<boolean> {
  try {
    return (await local.read(study, 0, 1)).length > 0
  } catch (error) {
    // the server was lost before the first line of the study was written
    if (error instanceof FailureError && error.failure.code === 'not_found') return false
    throw error
  }
}
