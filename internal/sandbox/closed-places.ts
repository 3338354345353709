// Search of a command's directories for the files and directories that permission rules forbid to read.
import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs'
import type { ClosedPaths, MeasuredPlaces } from '../process/process-command.ts'
import { kernelFolders } from './folder-places.ts'
import { realOf } from './git-places.ts'
import type { IndexMemory } from './repository-index.ts'
import { isBelow } from './sandbox-mounts.ts'
import { hasTrackedFiles } from './secret-views.ts'

/** Entries of directories by path. They are cached while the directories are unchanged. */
type EntryMemory = Map<string, { changed: number; entries: readonly Dirent[] }>

export interface ClosedPlaces {
  /** Real paths of the forbidden files. `folders` has the forbidden directories. */
  files: readonly string[]
  folders: readonly string[]
  /** False if the limit ended the search early, so that some forbidden paths may be missing. */
  all: boolean
}

export interface ClosedSearch {
  entries: EntryMemory
  indexes: IndexMemory
  /** Largest number of directory entries that are compared with the rules. Beyond it, the search ends. */
  limit: number
}

/**
 * Returns the forbidden files and directories below `folders`. The search reads directories near the top
 * first and ends after `limit` entries. A forbidden directory with tracked files is returned as single files,
 * so that git still finds them.
 */
export function findClosedPlaces(
  folders: readonly string[],
  { covers, mayContain }: ClosedPaths,
  { entries: memory, indexes, limit }: ClosedSearch,
): ClosedPlaces {
  const files = new Set<string>()
  const closed = new Set<string>()
  const seenPaths = new Set<string>()
  const isInside = (path: string) => folders.some((folder) => path !== folder && isBelow(path, folder))
  const todo = folders.map((path) => ({ path, isCovered: covers(path) }))
  let remainingEntries = limit
  for (const { path: dir, isCovered } of todo) {
    const entries = entriesOf(dir, memory)
    remainingEntries -= entries.length
    if (remainingEntries < 0) return { files: [...files], folders: [...closed], all: false }
    for (const entry of entries) {
      const path = dir === '/' ? `/${entry.name}` : `${dir}/${entry.name}`
      const isHidden = isCovered || covers(path)
      // The target of a forbidden link is forbidden as well.
      const real = isHidden && entry.isSymbolicLink() ? realOf(path) : path
      if (real === undefined || (isHidden && !isInside(real)) || (real !== path && isBelow(path, real)))
        continue
      if (isHidden && !isFolder(real)) files.add(real)
      else if (isHidden && !hasTrackedFiles(real, indexes)) closed.add(real)
      else if (isHidden || (entry.isDirectory() && mayContain(path) && !isApart(path, entry.name))) {
        const key = `${isHidden}${real}`
        if (!seenPaths.has(key)) todo.push({ path: real, isCovered: isHidden })
        seenPaths.add(key)
      }
    }
  }
  return { files: [...files], folders: [...closed], all: true }
}

/**
 * Returns the forbidden paths for a benchmark command (a measured command): in its checkout and in
 * `shownPaths`. Paths in the checkout have the form that the command sees.
 */
export function findClosedInMeasurement(
  { checkout, shown: shownPaths }: Pick<MeasuredPlaces, 'checkout' | 'shown'>,
  closed: ClosedPaths,
  search: ClosedSearch,
): ClosedPlaces {
  const closedPlaces = findClosedPlaces([checkout.source, ...shownPaths.filter(isFolder)], closed, search)
  const seenAs = (path: string) =>
    isBelow(path, checkout.source) ? checkout.path + path.slice(checkout.source.length) : path
  const named = shownPaths.filter((path) => closed.covers(path) && !isFolder(path))
  return {
    files: [...new Set([...closedPlaces.files.map(seenAs), ...named])],
    folders: closedPlaces.folders.map(seenAs),
    all: closedPlaces.all,
  }
}

/**
 * Returns true for directories that are not searched: `.git`, which commands need, and directories of the
 * kernel, which contain no files of users.
 */
const isApart = (path: string, name: string) => name === '.git' || kernelFolders.has(path)

/**
 * Returns the entries of a directory. Empty if it cannot be listed, because a command cannot list it either.
 */
function entriesOf(dir: string, memory: EntryMemory): readonly Dirent[] {
  try {
    const changed = lstatSync(dir).ctimeMs
    const cacheEntry = memory.get(dir)
    if (cacheEntry?.changed === changed) return cacheEntry.entries
    const entries = readdirSync(dir, { withFileTypes: true })
    // A directory that changed just now is not cached, because a further change may get the same time and so
    // would not be noticed.
    if (Date.now() - changed > 100) memory.set(dir, { changed, entries })
    return entries
  } catch {
    return []
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
