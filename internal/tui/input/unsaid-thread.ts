// Conversations in which something was written and nothing was said: by folder, for no store has them.
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import { readSmall } from '../../base/files/small-file.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { draftPath } from './draft.ts'

const placeOf = (directory: string, workspace: string) =>
  join(directory, 'unsaid', fingerprint(Buffer.from(realpathSync(workspace))).slice(0, 32))

/** The last one of the folder counts. `directory` is the data directory of the program. */
export async function rememberUnsaid(directory: string, workspace: string, thread: string): Promise<void> {
  mkdirSync(join(directory, 'unsaid'), { recursive: true, mode: 0o700 })
  await writeAtomic(placeOf(directory, workspace), Buffer.from(thread), { mode: 0o600 })
}

/** Undefined where no such text is kept any more; `savedAt` in milliseconds. */
export function findUnsaid(
  directory: string,
  workspace: string,
): { thread: string; savedAt: number } | undefined {
  try {
    const thread = readSmall(placeOf(directory, workspace), 1_000)
    return thread === undefined
      ? undefined
      : { thread, savedAt: statSync(draftPath(directory, thread)).mtimeMs }
  } catch {
    return undefined
  }
}
