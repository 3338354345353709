// The files and directories that rules close to reading, found in the directories of a command.
import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs'
import type { ClosedPaths, MeasuredPlaces } from '../process/process-command.ts'
import { kernelFolders } from './folder-places.ts'
import { realOf } from './git-places.ts'
import type { IndexMemory } from './repository-index.ts'
import { isBelow } from './sandbox-mounts.ts'
import { hasTrackedFiles } from './secret-views.ts'

/** Entries of directories by path, cached while the directories are unchanged. */
type EntryMemory = Map<string, { changed: number; entries: readonly Dirent[] }>

export interface ClosedPlaces {
  /** Real paths of the files and of the directories that rules close. */
  files: readonly string[]
  folders: readonly string[]
  /** False if there were too many entries. */
  all: boolean
}

export interface ClosedSearch {
  entries: EntryMemory
  indexes: IndexMemory
  /** Largest number of entries that are compared with the rules. */
  limit: number
}

/**
 * Returns the closed files and directories below `folders`, found breadth first. In a closed directory with
 * tracked files, each file is returned instead of the directory, so that git finds the files.
 */
export function findClosedPlaces(
  folders: readonly string[],
  { covers, mayContain }: ClosedPaths,
  { entries: memory, indexes, limit }: ClosedSearch,
): ClosedPlaces {
  const files = new Set<string>()
  const closed = new Set<string>()
  const seen = new Set<string>()
  const isInside = (path: string) => folders.some((folder) => path !== folder && isBelow(path, folder))
  const todo = folders.map((path) => ({ path, isCovered: covers(path) }))
  let left = limit
  for (const { path: dir, isCovered } of todo) {
    const entries = entriesOf(dir, memory)
    left -= entries.length
    if (left < 0) return { files: [...files], folders: [...closed], all: false }
    for (const entry of entries) {
      const path = dir === '/' ? `/${entry.name}` : `${dir}/${entry.name}`
      const isHidden = isCovered || covers(path)
      // the target of a closed link is closed as well
      const real = isHidden && entry.isSymbolicLink() ? realOf(path) : path
      if (real === undefined || (isHidden && !isInside(real)) || (real !== path && isBelow(path, real)))
        continue
      if (isHidden && !isFolder(real)) files.add(real)
      else if (isHidden && !hasTrackedFiles(real, indexes)) closed.add(real)
      else if (isHidden || (entry.isDirectory() && mayContain(path) && !isApart(path, entry.name))) {
        const key = `${isHidden}${real}`
        if (!seen.has(key)) todo.push({ path: real, isCovered: isHidden })
        seen.add(key)
      }
    }
  }
  return { files: [...files], folders: [...closed], all: true }
}

/**
 * Returns the closed paths for a measured command, in its checkout and in `shown`. Those in the checkout are
 * the paths that the command sees.
 */
export function findClosedInMeasurement(
  { checkout, shown }: Pick<MeasuredPlaces, 'checkout' | 'shown'>,
  closed: ClosedPaths,
  search: ClosedSearch,
): ClosedPlaces {
  const found = findClosedPlaces([checkout.source, ...shown.filter(isFolder)], closed, search)
  const seenAs = (path: string) =>
    isBelow(path, checkout.source) ? checkout.path + path.slice(checkout.source.length) : path
  const named = shown.filter((path) => closed.covers(path) && !isFolder(path))
  return {
    files: [...new Set([...found.files.map(seenAs), ...named])],
    folders: found.folders.map(seenAs),
    all: found.all,
  }
}

/**
 * Returns true for directories that are not searched: commands need repositories, and the kernel shows
 * its own files.
 */
const isApart = (path: string, name: string) => name === '.git' || kernelFolders.has(path)

/**
 * Returns the entries of a directory; empty if it cannot be listed, because then a command cannot
 * list it either.
 */
function entriesOf(dir: string, memory: EntryMemory): readonly Dirent[] {
  try {
    const changed = lstatSync(dir).ctimeMs
    const known = memory.get(dir)
    if (known?.changed === changed) return known.entries
    const entries = readdirSync(dir, { withFileTypes: true })
    // another change within the same tick of the file system's clock would go unnoticed
    if (Date.now() - changed > 100) memory.set(dir, { changed, entries })
    return entries
  } catch {
    return []
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
