// Which recorded writes of a file still stand: undoing goes back through them one by one.
import type { RecordedWrite } from './undo-plan.ts'

/**
 * The writes of one file, in order, that no recorded undo has taken back. An undo takes back everything down
 * to the last write that found what it has put back.
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
