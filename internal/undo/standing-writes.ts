// The recorded writes of a file that no undo has reverted (its standing writes).
import type { RecordedWrite } from './undo-plan.ts'

/** Returns the writes of one file that no recorded undo has reverted, oldest first. */
export function standingWrites(writes: readonly RecordedWrite[]): RecordedWrite[] {
  const standing: RecordedWrite[] = []
  for (const write of writes) addWrite(standing, write)
  return standing
}

/**
 * Adds the next write of a file to the standing writes. If the write is an undo, removes the latest writes
 * instead: down to the one that the undo names, or else to the last one before which the file had the
 * restored content. Returns the removed writes.
 */
export function addWrite(standing: RecordedWrite[], write: RecordedWrite): RecordedWrite[] {
  if (write.tool !== 'undo') {
    standing.push(write)
    return []
  }
  const { reverts } = write
  const back =
    reverts === undefined
      ? standing.findLastIndex(({ before }) => (before?.hash ?? null) === write.after)
      : standing.findIndex(({ pos }) => pos >= reverts)
  return back === -1 ? [] : standing.splice(back)
}
