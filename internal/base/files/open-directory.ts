// Holds a directory open while entries of it are made and renamed, so that no link slips in between.
import { constants } from 'node:fs'
import { lstat, open, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../errors.ts'
import { movedError } from './open-file.ts'

/** An open directory. Whoever got it closes it. */
export interface OpenDirectory {
  readonly dir: string
  /** A path that leads to the entry `name` of this very directory, wherever its name points by now. */
  at(name: string): string
  /** Makes what happened to the entries last through a loss of power. */
  sync(): Promise<void>
  close(): Promise<void>
}

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * Opens the directory at `dir`, a path without links; throws FailureError `outside_workspace` when it is one.
 */
export async function openDirectory(dir: string): Promise<OpenDirectory> {
  const handle = await open(dir, flags).catch(async (error: unknown) => {
    const there = await lstat(dir).catch(() => undefined)
    throw there?.isSymbolicLink() ? movedError(dir) : error
  })
  try {
    const link = await linkOf(handle.fd)
    if ((link ?? (await realpath(dir))) !== dir) throw movedError(dir)
    // Node has no openat(2); on Linux the descriptor's entry in /proc stands for the directory itself
    const base = link === undefined ? dir : `/proc/self/fd/${handle.fd}`
    return {
      dir,
      at: (name) => join(base, name),
      sync: () => handle.sync().catch(pardon),
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

/** Some network and FUSE file systems cannot sync a directory and say so. */
function pardon(error: unknown): void {
  if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error
}
