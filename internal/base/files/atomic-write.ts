// The write of one file that is old or new at every moment, also after a crash.
import { closeSync } from 'node:fs'
import { link, lstat, open, readdir, realpath, rename, rm, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf, FailureError } from '../errors.ts'
import { fingerprint } from '../fingerprint.ts'
import { isAlive, processIdentity } from '../process-identity.ts'
import { explainErrno } from './errno.ts'
import { type OpenDirectory, openDirectory } from './open-directory.ts'
import { openPlain, readPrefix } from './open-file.ts'

/** The state of a file when it was read; `print` is the fingerprint of its content. */
export interface AtomicFileState {
  print: string
  mode: number
  uid: number
  gid: number
}

interface WriteOptions {
  /** Permission bits. Default: those of the replaced file; for a new file, 0666 minus the umask. */
  mode?: number
  /** Fingerprint of the content that may be replaced; null if the file must be new. Default: any content. */
  expect?: string | null
}

/**
 * Replaces the content of `path`, following links to their target. The directory must exist. If it throws,
 * the content is unchanged, unless only the final sync of the directory failed. Throws FailureError:
 * `stale_read` or `file_exists` if `expect` does not match, `io` and others for errors of the system.
 * Temporary files of dead processes in the directory are removed. A hard link is broken; its other names keep
 * the old content.
 */
export async function writeAtomic(
  path: string,
  bytes: Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  try {
    const real = await resolveTarget(path)
    const before = await readFileState(real)
    const dir = await openDirectory(dirname(real))
    const temp = tempName()
    try {
      await stageFile(dir, temp, bytes, before, options.mode)
      try {
        if (options.expect !== undefined) demandUnchanged(await readFileState(real), options.expect, path)
        await publishFile(dir, temp, dir, basename(real), options.expect === null)
      } catch (error) {
        await rm(dir.at(temp), { force: true })
        throw error
      }
      await dir.sync()
      // temporary files of an earlier crash are removed; if the directory cannot be listed, they stay
      await sweepTemps(dir.dir).catch(() => 0)
    } finally {
      await dir.close()
    }
  } catch (error) {
    throw explainErrno(error, path)
  }
}

async function resolveTarget(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return join(await realpath(dirname(path)), basename(path))
  }
}

/**
 * Returns the fingerprint, mode and owner of the regular file at `real`, or null if it is missing. Throws
 * FailureError for another kind of entry, and for a file that cannot be read.
 */
export async function readFileState(real: string): Promise<AtomicFileState | null> {
  try {
    const opened = openPlain(real)
    try {
      const { bytes } = await readPrefix(opened, Number.MAX_SAFE_INTEGER - 1)
      const { mode, uid, gid } = opened.stat
      return { print: fingerprint(bytes), mode: Number(mode) & 0o7777, uid: Number(uid), gid: Number(gid) }
    } finally {
      closeSync(opened.fd)
    }
  } catch (error) {
    if (error instanceof FailureError && absent.has(error.failure.code)) return null
    throw error
  }
}

const absent = new Set(['not_found', 'not_a_directory'])

/**
 * Throws FailureError `stale_read` if a file with the fingerprint `expect` was expected and it is missing or
 * different, and `file_exists` if no file was expected (null) and one exists.
 */
export function demandUnchanged(
  there: AtomicFileState | null,
  expect: string | null,
  shownPath: string,
): void {
  if (there === null ? expect === null : there.print === expect) return
  throw new FailureError(
    expect === null
      ? { code: 'file_exists', message: `${shownPath} exists already` }
      : {
          code: 'stale_read',
          message: `${shownPath} ${there ? 'was changed' : 'was removed'} by someone else meanwhile`,
          hint: 'Read the file again and repeat the change on what it holds now.',
        },
  )
}

/**
 * Returns a name for a temporary file. It contains the identity of this process, so that `sweepTemps` can
 * remove the file after a crash.
 */
export function tempName(): string {
  count += 1
  return `.anode-${processIdentity()}-${count}.tmp`
}
let count = 0

/**
 * Writes the temporary file `temp` in `dir` and waits until it is on disk. It gets the permission bits
 * `mode`, or else those of the replaced file `like`, and its owner if this user may set it. If this fails,
 * the file is removed.
 */
export async function stageFile(
  dir: OpenDirectory,
  temp: string,
  bytes: Uint8Array,
  like: AtomicFileState | null,
  mode?: number,
) {
  const bits = mode ?? like?.mode
  const handle = await open(dir.at(temp), 'wx', bits ?? 0o666)
  try {
    await handle.writeFile(bytes)
    if (like) await keepOwner(handle, like)
    if (bits !== undefined) await handle.chmod(bits)
    await handle.sync()
    await handle.close()
  } catch (error) {
    await handle.close()
    await rm(dir.at(temp), { force: true })
    throw error
  }
}

/** Keeps owner and group if this user may. Otherwise the user becomes the owner, as with editors. */
async function keepOwner(handle: Awaited<ReturnType<typeof open>>, like: AtomicFileState): Promise<void> {
  const { uid, gid } = await handle.stat()
  if (uid === like.uid && gid === like.gid) return
  try {
    await handle.chown(like.uid, like.gid)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') throw error
  }
}

/**
 * Renames a staged file to its target. With `fresh` it throws EEXIST for an existing file. On a file system
 * without hard links, another process can create the file between the check and the rename.
 */
export async function publishFile(
  from: OpenDirectory,
  temp: string,
  to: OpenDirectory,
  name: string,
  fresh: boolean,
): Promise<void> {
  if (!fresh) return await rename(from.at(temp), to.at(name))
  try {
    await link(from.at(temp), to.at(name))
  } catch (error) {
    if (!noLinkCodes.has(codeOf(error) ?? '')) throw error
    const there = await lstat(to.at(name)).catch(() => undefined)
    if (there) throw Object.assign(new Error(`EEXIST: ${name}`), { code: 'EEXIST' })
    return await rename(from.at(temp), to.at(name))
  }
  await unlink(from.at(temp))
}

/**
 * Error codes of link(2) after which a file is renamed or copied instead. Most of them mean that the file
 * system has no hard links.
 */
export const noLinkCodes: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EXDEV',
  'EMLINK',
])

/**
 * Removes from `dir` the temporary files of processes that have ended, or, if that is unknown, files at least
 * ten minutes old. Returns their number.
 */
export async function sweepTemps(dir: string): Promise<number> {
  let swept = 0
  for (const name of await readdir(dir)) {
    const mark = /^\.anode-(.+)-\d+\.tmp$/.exec(name)?.[1]
    if (mark === undefined) continue
    const there = await lstat(join(dir, name)).catch(() => undefined)
    if (!there || isAlive(mark, Date.now() - there.mtimeMs)) continue
    await rm(join(dir, name), { force: true })
    swept++
  }
  return swept
}
