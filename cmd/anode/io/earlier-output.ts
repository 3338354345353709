// The check whether the file of the flag `-o` may be overwritten: only if it is empty or output of
// the same command.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { UserError } from '../../../internal/base/errors.ts'

interface OwnOutput {
  /** The output of the command in words, for messages: `report of a study`. */
  what: string
  /**
   * Returns true if the same command wrote these bytes: the first `maxBytes` of the file, or the whole file
   * if it is smaller.
   */
  isOwn(bytes: Buffer): boolean
  maxBytes: number
}

/**
 * Throws UserError for a file with content that the same command did not write. A missing or empty file is
 * accepted, and so is a special file such as a pipe.
 */
export function refuseForeignFile(
  { name, path }: { name: string; path: string },
  { what, isOwn, maxBytes }: OwnOutput,
): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile() || stats.size === 0) return
  if (!isOwn(readStart(path, Math.min(stats.size, maxBytes))))
    throw new UserError(`${name} exists and is no ${what}`, {
      hint: 'name another file, or remove this one first',
    })
}

function readStart(path: string, length: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}
