// Lookups of paths. A path that is missing, below a file, or in a directory that this user cannot enter is
// absent, and the lookup throws no error.
import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'

/** Returns the metadata of a path, of the link itself if it is one; undefined for an absent path. */
export const findStats = (path: string): Stats | undefined =>
  lookUp(() => lstatSync(path, { throwIfNoEntry: false }))

/** Returns true for a path that exists. A link counts, even if its target is missing. */
export const pathExists = (path: string): boolean => findStats(path) !== undefined

/** Returns true for a directory, also behind links. */
export const isDirectory = (path: string): boolean => findTarget(path)?.isDirectory() === true

/** Returns true for a regular file, also behind links. */
export const isFile = (path: string): boolean => findTarget(path)?.isFile() === true

/** Returns the names in a directory; empty if it cannot be listed. */
export const listNames = (dir: string): string[] => lookUp(() => readdirSync(dir)) ?? []

/** Returns the entries of a directory with their types; empty if it cannot be listed. */
export const listEntries = (dir: string): Dirent[] =>
  lookUp(() => readdirSync(dir, { withFileTypes: true })) ?? []

const findTarget = (path: string) => lookUp(() => statSync(path, { throwIfNoEntry: false }))

function lookUp<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
