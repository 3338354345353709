// Writes one file so that it is the old one or the new one at every moment, also after a crash.
import { closeSync } from 'node:fs'
import { link, lstat, open, readdir, realpath, rename, rm, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf, FailureError } from '../errors.ts'
import { fingerprint } from '../fingerprint.ts'
import { isAlive, processIdentity } from '../process-identity.ts'
import { explainErrno } from './errno.ts'
import { type OpenDirectory, openDirectory } from './open-directory.ts'
import { openPlain, readPrefix } from './open-file.ts'

/** What a file was when it was looked at. */
export interface AtomicFileState {
  print: string
  mode: number
  uid: number
  gid: number
}

interface Options {
  /** Permission bits; absent: those of the file that is replaced, for a new file 0666 less the umask. */
  mode?: number
  /**
   * Fingerprint of the content that may be replaced, null when the file must be new; absent: whatever is
   * there.
   */
  expect?: string | null
}

/**
 * Replaces the content of `path`, following links to the file they lead to. The directory must exist. Nothing
 * is changed when it throws: FailureError `stale_read` or `file_exists` when `expect` does not hold, `io` and
 * the like for what the system refuses. Temporary files that dead processes left in the directory are
 * removed. A hard link is broken, its other names keep the old content.
 */
export async function writeAtomic(path: string, bytes: Uint8Array, options: Options = {}): Promise<void> {
  try {
    const real = await follow(path)
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
      // what a crash left here earlier goes now; a directory that cannot be listed keeps it
      await sweepTemps(dir.dir).catch(() => 0)
    } finally {
      await dir.close()
    }
  } catch (error) {
    throw explainErrno(error, path)
  }
}

async function follow(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return join(await realpath(dirname(path)), basename(path))
  }
}

/** Content and mode of the regular file at `real`, or null when there is nothing. */
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

/** Throws when what is there is not what was read. */
export function demandUnchanged(there: AtomicFileState | null, expect: string | null, shown: string): void {
  if (there === null ? expect === null : there.print === expect) return
  throw new FailureError(
    expect === null
      ? { code: 'file_exists', message: `${shown} exists already` }
      : {
          code: 'stale_read',
          message: `${shown} ${there ? 'was changed' : 'was removed'} by someone else meanwhile`,
          hint: 'Read the file again and repeat the change on what it holds now.',
        },
  )
}

/** A name for a temporary file that tells whose it is, see `sweepTemps`. */
export function tempName(): string {
  count += 1
  return `.anode-${processIdentity()}-${count}.tmp`
}
let count = 0

/**
 * Writes a temporary file beside what it will replace and waits until the disk has it. Removed when it
 * throws.
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
    if (like) await own(handle, like)
    if (bits !== undefined) await handle.chmod(bits)
    await handle.sync()
    await handle.close()
  } catch (error) {
    await handle.close()
    await rm(dir.at(temp), { force: true })
    throw error
  }
}

/** Keeps owner and group where this user may; who may not becomes the owner, which is what editors do. */
async function own(handle: Awaited<ReturnType<typeof open>>, like: AtomicFileState): Promise<void> {
  const { uid, gid } = await handle.stat()
  if (uid === like.uid && gid === like.gid) return
  try {
    await handle.chown(like.uid, like.gid)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') throw error
  }
}

/**
 * Gives a staged file its name. With `fresh` it throws EEXIST, atomically where hard links exist, when one is
 * there.
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

/** What file systems without hard links answer to link(2). */
export const noLinkCodes: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EXDEV',
  'EMLINK',
])

/** Removes from `dir` the temporary files of processes that have ended; answers how many. */
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
