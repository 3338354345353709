// The folder for temporary files of commands that no wall stands around.
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { createUlid } from '../ids.ts'

let temporary: string | undefined

/**
 * Where commands without a wall keep temporary files: a folder of this process, without links in its path.
 * It may not exist yet. Undefined where the system's folder for them is missing.
 */
export function temporaryDir(): string | undefined {
  try {
    // node:os would have to be loaded for its name of the same folder
    temporary ??= join(realpathSync.native(process.env.TMPDIR || '/tmp'), `anode-${createUlid()}`)
  } catch {
    // commands keep what the environment says
  }
  return temporary
}
