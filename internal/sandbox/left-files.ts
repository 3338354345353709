// Cleanup of files from a sandboxed command that could affect other programs later: named pipes, devices, and
// programs with special rights.
import { closeSync, constants, fstatSync, lstatSync, openSync, unlinkSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { asLocation, chmodOpened, inDirectory } from '../base/files/pinned-directory.ts'
import { createFileMemory, listFiles } from './file-record.ts'

/** Milliseconds within which the clock of a file system may give two changes the same time. */
const tickMs = 20

interface LeftFilePlace {
  folders: readonly string[]
  /** Directories below `folders` that the cleanup skips. */
  apart: readonly string[]
  /**
   * Start of the command in milliseconds since 1970. Files whose last change is more than 20 ms
   * earlier stay unchanged.
   */
  since: number
}

/**
 * Removes named pipes and devices, and removes the setuid and setgid bits of files, which would lend
 * the owner's rights. It changes only files that changed after `since` or at most 20 ms before. Links
 * are not followed, and files beyond the limits of `listFiles` stay unchanged. Returns one line about
 * each changed file.
 */
export function mendLeftFiles(
  { folders, apart, since }: LeftFilePlace,
  memory = createFileMemory(),
): string[] {
  const isNew = (ctimeMs: number) => ctimeMs >= since - tickMs
  const { files, specials } = listFiles(folders, apart, memory, {
    isKept: ({ mode, ctimeMs }) => (mode & 0o6000) !== 0 && isNew(ctimeMs),
  })
  const special = [...specials].flatMap(([path, changed]) =>
    isNew(changed) && removeSpecial(path) ? [path] : [],
  )
  const lending = [...files].filter(
    ([path, stamp]) => withdrawRights(path, stamp) && (stamp.mode & 0o6000) === 0,
  )
  return [
    ...special.map((path) => `${path}: a pipe or device does not outlive the call`),
    ...lending.map(([path]) => `${path}: it lends no rights of its owner`),
  ]
}

function removeSpecial(path: string): boolean {
  const isRemoved = inDirectory(dirname(path), ({ at }) => {
    const stat = lstatSync(at(basename(path)), { throwIfNoEntry: false })
    if (!stat || stat.isFile() || stat.isDirectory() || stat.isSymbolicLink()) return false
    return tryChange(() => unlinkSync(at(basename(path))))
  })
  return isRemoved === true
}

/**
 * Calls `act` and returns true. Returns false if the system refuses the change, so that the
 * file stays unchanged.
 */
function tryChange(act: () => void): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}

/**
 * Removes the setuid and setgid bits of a file and updates its mode in `stamp`. Does nothing if the path now
 * leads to another file. Returns false if the system refuses the change.
 */
function withdrawRights(path: string, stamp: { ino: number; mode: number }): boolean {
  return tryChange(() =>
    inDirectory(dirname(path), ({ at }) => {
      const fd = openSync(at(basename(path)), constants.O_NOFOLLOW | constants.O_NONBLOCK | asLocation)
      try {
        const { ino, mode } = fstatSync(fd)
        if (ino !== stamp.ino || (mode & 0o6000) === 0) return
        chmodOpened(fd, mode & 0o1777)
        stamp.mode = mode & 0o1777
      } finally {
        closeSync(fd)
      }
    }),
  )
}
