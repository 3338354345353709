// The directory for temporary files of commands without a sandbox.
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { createUlid } from '../ids.ts'

let temporary: string | undefined

/**
 * Returns the directory for temporary files of commands without a sandbox, which belongs to this process. Its
 * path has no links, and it may not exist yet. Undefined if the temporary directory of the system is missing.
 */
export function temporaryDir(): string | undefined {
  try {
    // `tmpdir` of node:os returns the same directory, but loading that module takes time
    temporary ??= join(realpathSync.native(process.env.TMPDIR || '/tmp'), `anode-${createUlid()}`)
  } catch {
    // the temporary directory does not exist, so commands keep TMPDIR as their environment sets it
  }
  return temporary
}
