// The file with the open runs: those that are not logged yet, or whose files still have to be restored. Every
// step replaces it durably, so that a later process can recover after a crash.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import type { ExperimentRun } from './experiment-run.ts'

const pendingFileOf = (dir: string) => join(dir, 'pending.json')

/** Returns the open runs, or an empty list without a file. Throws UserError if the file is not valid. */
export async function readPendingRuns(dir: string): Promise<ExperimentRun[]> {
  const text = await readFile(pendingFileOf(dir), 'utf8').catch(ignoreCodes('ENOENT'))
  if (text === undefined) return []
  try {
    return (JSON.parse(text) as { runs: ExperimentRun[] }).runs
  } catch (error) {
    throw new UserError(`${pendingFileOf(dir)} cannot be read`, {
      hint: 'Remove it to give up the open run.',
      exit: 1,
      cause: error,
    })
  }
}

export async function writePendingRuns(dir: string, runs: readonly ExperimentRun[]): Promise<void> {
  await writeAtomic(pendingFileOf(dir), Buffer.from(`${JSON.stringify({ v: 1, runs })}\n`), { mode: 0o600 })
}
