// A view of the file system that looks up every name only once. Each tool call gets a new view.
import { type Dirent, lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../../base/errors.ts'

export interface DiskView {
  /**
   * Returns the target of a link, `''` for an existing path that is not a link, and undefined for a missing
   * or unreadable path.
   */
  link(path: string): string | undefined
  /**
   * Returns the entries of a directory: empty if it is missing or not a directory, undefined if it has more
   * than 10,000 entries or cannot be listed.
   */
  list(dir: string): readonly Dirent[] | undefined
}

/** Largest number of entries of a directory that is searched. */
const maxEntries = 10_000

/** Number of looked-up names in one directory after which reading the whole directory is cheaper. */
const manyNames = 32

/**
 * Returns a new view. Paths must be absolute, and only their last component may be a link, because callers
 * resolve paths component by component.
 */
export function viewDisk(): DiskView {
  const links = new Map<string, string | undefined>()
  const lists = new Map<string, readonly Dirent[] | undefined>()
  const counts = new Map<string, number>()
  const namesByDir = new Map<string, ReadonlySet<string> | undefined>()
  const list: DiskView['list'] = (dir) => {
    if (!lists.has(dir)) lists.set(dir, entriesOf(dir))
    return lists.get(dir)
  }
  const lookUp = (path: string) => {
    const parent = dirname(path)
    // nothing can exist below a missing path or a file
    if (links.has(parent) && links.get(parent) === undefined) return undefined
    const count = (counts.get(parent) ?? 0) + 1
    counts.set(parent, count)
    if (count === manyNames) namesByDir.set(parent, namesIn(list(parent)))
    if (namesByDir.get(parent)?.has(path.slice(parent.length + (parent === '/' ? 0 : 1))) === false)
      return undefined
    return readLinkTarget(path)
  }
  return {
    link(path) {
      if (!links.has(path)) links.set(path, lookUp(path))
      return links.get(path)
    },
    list,
  }
}

/** Returns the target of a link on disk; `''` for an existing path that is not a link; else undefined. */
export function readLinkTarget(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (!stat) return undefined
    return stat.isSymbolicLink() ? readlinkSync(path) : ''
  } catch {
    // The directory may not be searched, so no link below it can be followed.
    return undefined
  }
}

const namesIn = (entries: readonly Dirent[] | undefined) =>
  entries && new Set(entries.map((entry) => entry.name))

function entriesOf(dir: string): readonly Dirent[] | undefined {
  try {
    const entries = readdirSync(dir, { withFileTypes: true })
    return entries.length > maxEntries ? undefined : entries
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '') ? [] : undefined
  }
}
