// A directory that stays open while entries in it are created and renamed, so that no link can replace it.
import { constants } from 'node:fs'
import { lstat, open, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../errors.ts'
import { movedError } from './open-file.ts'

/** An open directory. The caller closes it. */
export interface OpenDirectory {
  readonly dir: string
  /**
   * Returns a path to the entry `name` of this directory, on Linux even if the directory was
   * renamed or replaced.
   */
  at(name: string): string
  /** Makes changes of the entries survive a loss of power. */
  sync(): Promise<void>
  close(): Promise<void>
}

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * Opens the directory at `dir`, a path without links. Throws FailureError `outside_workspace` if it or a
 * directory above it is a link.
 */
export async function openDirectory(dir: string): Promise<OpenDirectory> {
  const handle = await open(dir, flags).catch(async (error: unknown) => {
    const there = await lstat(dir).catch(() => undefined)
    throw there?.isSymbolicLink() ? movedError(dir) : error
  })
  try {
    const link = await linkOf(handle.fd)
    if ((link ?? (await realpath(dir))) !== dir) throw movedError(dir)
    // Node has no openat(2); on Linux, the descriptor's entry in /proc is the directory itself
    const base = link === undefined ? dir : `/proc/self/fd/${handle.fd}`
    return {
      dir,
      at: (name) => join(base, name),
      sync: () => handle.sync().catch(ignoreSyncError),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function linkOf(fd: number): Promise<string | undefined> {
  try {
    return await readlink(`/proc/self/fd/${fd}`)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Ignores the error of network and FUSE file systems that cannot sync a directory. Rethrows any other error.
 */
function ignoreSyncError(error: unknown): void {
  if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error
}
