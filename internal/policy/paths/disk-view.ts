// A view of the file system that looks every name up once; it lives for the facts of one call.
import { type Dirent, lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../../base/errors.ts'

export interface DiskView {
  /**
   * Target of a link, `''` for what exists and is none, undefined for what is not there or may not be looked
   * at.
   */
  link(path: string): string | undefined
  /**
   * Entries of a folder, none where there is no folder, undefined where it cannot be listed or is too large.
   */
  list(dir: string): readonly Dirent[] | undefined
}

/** A folder with more entries is not looked through. */
const maxEntries = 10_000

/** After so many names of one folder it is cheaper to list it. */
const manyNames = 32

/**
 * Paths must be absolute and, but for their last part, without links: whoever follows a path asks part by
 * part.
 */
export function viewDisk(): DiskView {
  const links = new Map<string, string | undefined>()
  const lists = new Map<string, readonly Dirent[] | undefined>()
  const counts = new Map<string, number>()
  const known = new Map<string, ReadonlySet<string> | undefined>()
  const list: DiskView['list'] = (dir) => {
    if (!lists.has(dir)) lists.set(dir, entriesOf(dir))
    return lists.get(dir)
  }
  const lookUp = (path: string) => {
    const parent = dirname(path)
    // below what is missing, or is a file, nothing can be
    if (links.has(parent) && links.get(parent) === undefined) return undefined
    const count = (counts.get(parent) ?? 0) + 1
    counts.set(parent, count)
    if (count === manyNames) known.set(parent, namesIn(list(parent)))
    if (known.get(parent)?.has(path.slice(parent.length + (parent === '/' ? 0 : 1))) === false)
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

/** See `DiskView.link`. */
export function readLinkTarget(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (!stat) return undefined
    return stat.isSymbolicLink() ? readlinkSync(path) : ''
  } catch {
    // not searchable: there is nothing that could be followed
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
