// Recorded writes of a file that are still in effect; undo reverts them one by one.
import type { RecordedWrite } from './undo-plan.ts'

/**
 * Returns the writes of one file, in order, that no recorded undo has reverted. An undo reverts all writes
 * back to the last one that found the restored content.
 */
export function standingWrites(writes: readonly RecordedWrite[]): RecordedWrite[] {
  const standing: RecordedWrite[] = []
  for (const write of writes) {
    if (write.tool !== 'undo') {
      standing.push(write)
      continue
    }
    const back = standing.findLastIndex(({ before }) => (before?.hash ?? null) === write.after)
    if (back !== -1) standing.length = back
  }
  return standing
}
