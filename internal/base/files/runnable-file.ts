// The check whether a file can run as a program.
import { accessSync, constants, statSync } from 'node:fs'

/**
 * Returns true for a regular file, also behind links, that this user may run; false if it cannot be checked.
 */
export function isRunnable(path: string): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
