// A directory opened once, so that its entries are reached without following any link in its path.
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import { join } from 'node:path'

/**
 * The flag O_PATH of Linux, for which Node has no name. It opens an entry without the right to read it. 0
 * on other systems.
 */
export const asLocation = process.platform === 'linux' ? 0o10000000 : 0

/** Returns the path that leads to an open descriptor, on Linux. */
const descriptorPath = (fd: number) => `/proc/self/fd/${fd}`

interface PinnedDirectory {
  /** Returns a path to an entry of the directory. On Linux it leads through the descriptor. */
  at(name: string): string
}

/**
 * Returns the result of `act`, called with the directory at `path`, which must be a real path. Returns
 * undefined if the directory cannot be opened or a part of its path has become a link. If this user owns the
 * directory without full rights, `act` runs with them, and they are withdrawn afterwards.
 */
export function inDirectory<T>(path: string, act: (directory: PinnedDirectory) => T): T | undefined {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | asLocation)
  } catch {
    return undefined
  }
  try {
    if (!isAt(fd, path)) return undefined
    const pinnedPath = asLocation === 0 ? path : descriptorPath(fd)
    const { mode, uid } = fstatSync(fd)
    const lacks = (mode & 0o700) !== 0o700 && uid === process.getuid?.() && uid !== 0
    if (lacks) chmodSync(pinnedPath, (mode & 0o7777) | 0o700)
    try {
      return act({ at: (name) => (asLocation === 0 ? join(path, name) : `${pinnedPath}/${name}`) })
    } finally {
      if (lacks) chmodSync(pinnedPath, mode & 0o7777)
    }
  } finally {
    closeSync(fd)
  }
}

/**
 * Returns the result of `act`, called with an open descriptor of the regular file at `path`, which must be a
 * real path. Returns undefined if it is not a regular file, cannot be opened or a part of its path has
 * become a link.
 */
export function inFile<T>(path: string, flags: number, act: (fd: number) => T): T | undefined {
  let fd: number
  try {
    fd = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    return isAt(fd, path) && fstatSync(fd).isFile() ? act(fd) : undefined
  } finally {
    closeSync(fd)
  }
}

/**
 * Sets the permission bits of the entry that was opened as `fd`, even if its path now leads to another entry.
 */
export function chmodOpened(fd: number, mode: number): void {
  if (asLocation === 0) fchmodSync(fd, mode)
  else chmodSync(descriptorPath(fd), mode)
}

/**
 * Returns true if the open entry is at `path`, and no part of the path is a link. On systems other than
 * Linux, checks only the path.
 */
function isAt(fd: number, path: string): boolean {
  try {
    return (asLocation === 0 ? realpathSync(path) : readlinkSync(descriptorPath(fd))) === path
  } catch {
    return false
  }
}
