// Whether a file can be run as a program.
import { accessSync, constants, statSync } from 'node:fs'

/** A regular file, behind links too, that this user may run; false for one that may not be looked at. */
export function isRunnable(path: string): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
