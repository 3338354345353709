// The reader of configuration-sized text files: regular, bounded, UTF-8.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { codeOf, UserError } from '../errors.ts'

/**
 * Returns the text of a regular file of at most `limit` bytes (default 1 MiB), without byte order mark and
 * with LF line ends. Undefined if it does not exist. Throws UserError for any other problem (a pipe, a
 * directory, too large, not UTF-8, no permission). A named pipe does not block.
 */
export function readSmall(path: string, limit = 1 << 20): string | undefined {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new UserError(`${path} cannot be read (${code ?? 'unknown error'})`, { cause })
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw new UserError(`${path} is not a regular file`)
    if (stat.size > limit) throw new UserError(`${path} has ${stat.size} bytes, more than ${limit}`)
    const bytes = Buffer.alloc(limit + 1)
    let size = 0
    for (let n = -1; n !== 0 && size <= limit; size += n)
      n = readSync(fd, bytes, size, limit + 1 - size, null)
    if (size > limit) throw new UserError(`${path} is larger than ${limit} bytes`)
    return decode(bytes.subarray(0, size), path)
  } finally {
    closeSync(fd)
  }
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n')
  } catch (cause) {
    throw new UserError(`${path} is not UTF-8 text`, { cause })
  }
}
