// Opens regular files for reading only if their path has not changed since its permission was checked. Also
// reads at most a given number of bytes of a file, and whole small files.
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read as readAsync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { codeOf, type FailureCode, FailureError, UserError } from '../errors.ts'
import { explainErrno } from './errno.ts'

interface OpenFile {
  fd: number
  stat: BigIntStats
}

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Opens the regular file at `real`, a path without links. The caller closes `fd`. Pipes, devices and sockets
 * are refused before they are opened, so that opening never blocks and no device is disturbed. Throws
 * FailureError, such as `not_found`, `is_directory` or `io`, and `outside_workspace` if a link was created
 * after the permission for `real` was checked.
 */
export function openPlain(real: string, shownPath = real): OpenFile {
  try {
    refuseOther(lstatSync(real, { bigint: true }), shownPath)
    const fd = openSync(real, flags)
    try {
      const stat = fstatSync(fd, { bigint: true })
      refuseOther(stat, shownPath)
      if (!isAt(fd, real, stat)) throw movedError(shownPath)
      return { fd, stat }
    } catch (error) {
      closeSync(fd)
      throw error
    }
  } catch (error) {
    throw explainErrno(error, shownPath)
  }
}

/**
 * Returns at most `limit` bytes from the start of the file. `whole`: the file has no more bytes. Reads of
 * large files do not block other work of the process.
 */
export async function readPrefix(
  opened: OpenFile,
  limit: number,
): Promise<{ bytes: Buffer; whole: boolean }> {
  const size = Number(opened.stat.size)
  // one extra byte detects a file that grows; files of /proc have size 0 and still have content
  let buffer = Buffer.allocUnsafe(Math.min(limit, size > 0 ? size : 65_536) + 1)
  let filled = 0
  while (filled <= limit) {
    if (filled === buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(limit + 1, buffer.length * 2))
      buffer.copy(larger)
      buffer = larger
    }
    const requestedBytes = buffer.length - filled
    const count = await readAt(opened.fd, buffer, filled)
    filled += count
    // a short read past the reported size is the end, so no further read is necessary
    const isEnd = count === 0 || (count < requestedBytes && size > 0 && filled >= size)
    if (isEnd) return { bytes: buffer.subarray(0, filled), whole: true }
  }
  return { bytes: buffer.subarray(0, limit), whole: false }
}

const small = 262_144

/**
 * Reads bytes from position `from` of the file to the same index of `buffer`, and returns their number.
 * Reads into a buffer of at most 256 KiB are synchronous, because four trips through the thread pool cost
 * more than the read.
 */
function readAt(fd: number, buffer: Buffer, from: number): number | Promise<number> {
  if (buffer.length <= small) return readSync(fd, buffer, from, buffer.length - from, from)
  return new Promise((resolve, reject) => {
    readAsync(fd, buffer, from, buffer.length - from, from, (error, count) =>
      error ? reject(error) : resolve(count),
    )
  })
}

/**
 * Returns true if the open file is at `real`, or was there until it was deleted or replaced. Returns false if
 * a directory in the path was replaced meanwhile, for example by a link.
 */
export function isAt(fd: number, real: string, stat: BigIntStats): boolean {
  try {
    const at = readlinkSync(`/proc/self/fd/${fd}`)
    // the kernel appends ` (deleted)` to the path if another writer has replaced the file meanwhile
    return at === real || at === `${real} (deleted)`
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  const there = lstatSync(real, { bigint: true })
  return there.ino === stat.ino && there.dev === stat.dev && realpathSync.native(real) === real
}

/** Returns the error for a path that has changed since the permission for it was checked. */
export function movedError(shownPath: string): FailureError {
  return new FailureError({
    code: 'outside_workspace',
    message: `${shownPath} is behind a link that did not exist when the path was checked`,
  })
}

function refuseOther(stat: BigIntStats, shownPath: string): void {
  if (stat.isFile()) return
  const refuse = (code: FailureCode, what: string) =>
    new FailureError({ code, message: `${shownPath} is ${what}` })
  if (stat.isDirectory()) throw refuse('is_directory', 'a directory')
  if (stat.isSymbolicLink()) throw movedError(shownPath)
  const kind = stat.isFIFO() ? 'a named pipe' : stat.isSocket() ? 'a socket' : 'a device'
  throw refuse('io', `${kind}; only regular files can be opened`)
}

/**
 * Returns the text of a regular file of at most `limit` bytes (default 1 MiB), without byte order mark and
 * with LF line ends. Undefined if it does not exist. Throws UserError for any other problem (a pipe, a
 * directory, too large, not UTF-8, no permission). A named pipe does not block.
 */
export function readSmall(path: string, limit = 1 << 20): string | undefined {
  const bytes = readSmallBytes(path, limit)
  return bytes && decodeText(bytes, path)
}

/**
 * Returns the bytes of a regular file of at most `limit` bytes. Undefined if it does not exist. Throws
 * UserError for any other problem. A named pipe does not block.
 */
export function readSmallBytes(path: string, limit: number): Buffer | undefined {
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
    return bytes.subarray(0, size)
  } finally {
    closeSync(fd)
  }
}

/**
 * Returns true if an empty directory is at the path. Such directories reserve names of files while a
 * sandboxed command runs in a workspace, and remain until the next start if Anode is killed (left-stubs.ts).
 */
export function isEmptyDirectory(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isDirectory() === true && readdirSync(path).length === 0
}

function decodeText(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n')
  } catch (cause) {
    throw new UserError(`${path} is not UTF-8 text`, { cause })
  }
}

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
