// Whether the file of `-o` may be written anew: it holds what the same command writes, or nothing.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { UserError } from '../../../internal/base/errors.ts'

interface OwnOutput {
  /** What the command writes, for messages: `report of a study`. */
  what: string
  /** Whether bytes were written by it; at most `maxBytes` are looked at, from the beginning. */
  isOwn(bytes: Buffer): boolean
  maxBytes: number
}

/**
 * Throws UserError for a file that holds something else. What is empty, no regular file, such as a pipe, or
 * cannot be read is left to whoever writes.
 */
export function refuseForeignFile(
  { name, path }: { name: string; path: string },
  { what, isOwn, maxBytes }: OwnOutput,
): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile() || found.size === 0) return
  if (!isOwn(readStart(path, Math.min(found.size, maxBytes))))
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
