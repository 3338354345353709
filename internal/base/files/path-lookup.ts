// Lookups of paths. A path that is missing, below a file, or in a directory that this user cannot enter is
// absent, and the lookup throws no error.
import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'

/** Returns the metadata of a path, of the link itself if it is one; undefined for an absent path. */
export function findStats(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Returns true for a path that exists. A link counts, even if its target is missing. */
export const pathExists = (path: string): boolean => findStats(path) !== undefined

/** Returns true for a directory, also behind links. */
export const isDirectory = (path: string): boolean => findTarget(path)?.isDirectory() === true

/** Returns true for a regular file, also behind links. */
export const isFile = (path: string): boolean => findTarget(path)?.isFile() === true

function findTarget(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Returns the names in a directory; empty if it cannot be listed. */
export function listNames(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}

/** Returns the entries of a directory with their types; empty if it cannot be listed. */
export function listEntries(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
  } catch {
    return []
  }
}
