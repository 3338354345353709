// Record of the files in a directory, which shows the changes of a command. It keeps the bytes of small files
// that git does not store.
import { constants, lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs'
import { inFile } from '../base/files/pinned-directory.ts'
import type { IndexEntry } from '../policy/shell/git/tracked-files.ts'
import type { FileChange, FileStamp } from '../process/process-command.ts'
import { packageFolders } from './folder-places.ts'
import { type IndexMemory, readRepositoryIndex } from './repository-index.ts'

/** Number of files after which one listing ends. It also ends after `maxMs` milliseconds. */
const maxFiles = 10_000
const maxMs = 2000
/**
 * Largest size in bytes of a file that is kept; `maxTotalBytes` limits all kept files together. Files beyond
 * these limits cannot be restored.
 */
const maxKeptBytes = 1 << 20
const maxTotalBytes = 64 << 20

interface FileListing {
  files: Map<string, FileStamp>
  /** Paths of named pipes and devices, with the time of their last change in milliseconds since 1970. */
  specials: Map<string, number>
  /** False if a limit ended the listing early. */
  all: boolean
}

interface FileSelection {
  isWanted?(path: string): boolean
  isKept?(stat: Pick<Stats, 'mode' | 'ctimeMs'>): boolean
}

/**
 * Data about files that is used from one command to the next. Before a command, all of it can be read again.
 */
interface FileMemory {
  /** Bytes of small files that git does not store, by path, from which an undo can restore them. */
  kept: Map<string, { stamp: FileStamp; bytes: Buffer }>
  /**
   * Paths in directories that have not changed. The strings stay the same objects, which makes lookups
   * in maps fast.
   */
  folders: Map<string, { changed: number; files: string[]; folders: string[] }>
  /** Parsed git indexes, by path. */
  indexes: IndexMemory
}

export const createFileMemory = (): FileMemory => ({
  kept: new Map(),
  folders: new Map(),
  indexes: new Map(),
})

/**
 * Returns the files below the directories with their size and times. Packages, build results, `.git`
 * directories, links, sockets and directories in `apart` are left out. `isWanted` selects the paths to
 * examine, and `isKept` the files to list. Default: all. After 10,000 files or 2 seconds the listing ends
 * with `all: false`.
 */
export function listFiles(
  folders: readonly string[],
  apart: readonly string[],
  memory: FileMemory,
  { isWanted, isKept }: FileSelection = {},
): FileListing {
  const listing: FileListing = { files: new Map(), specials: new Map(), all: true }
  const until = performance.now() + maxMs
  const skipped = new Set(apart)
  const todo = [...folders]
  let read = 0
  for (let dir = todo.pop(); dir !== undefined; dir = todo.pop()) {
    if (read >= maxFiles || performance.now() > until) return { ...listing, all: false }
    const paths = pathsIn(dir, memory)
    for (const path of paths?.files ?? [])
      if (isWanted?.(path) !== false && notePath(path, listing, isKept)) read++
    for (const path of paths?.folders ?? []) if (!skipped.has(path)) todo.push(path)
  }
  return listing
}

/**
 * Returns the paths in a directory, without links and without the directories `.git` and those of packages;
 * undefined if the directory was removed or cannot be read.
 */
function pathsIn(dir: string, { folders: memory }: FileMemory) {
  try {
    // unlike the time of the content, a program cannot set this time back
    const changed = lstatSync(dir).ctimeMs
    const cachedPaths = memory.get(dir)
    if (cachedPaths?.changed === changed) return cachedPaths
    const files: string[] = []
    const folders: string[] = []
    const lead = dir === '/' ? '' : dir
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (!entry.isDirectory()) {
        if (!entry.isSymbolicLink()) files.push(`${lead}/${entry.name}`)
      } else if (entry.name !== '.git' && !packageFolders.has(entry.name))
        folders.push(`${lead}/${entry.name}`)
    }
    const folderPaths = { changed, files, folders }
    // A further change within one tick of the clock would not be noticed.
    if (Date.now() - changed > 100) memory.set(dir, folderPaths)
    return folderPaths
  } catch {
    return undefined
  }
}

/** Adds a path to the listing. Returns true for a regular file, also if `isKept` leaves it out. */
function notePath(path: string, { files, specials }: FileListing, isKept: FileSelection['isKept']): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isFile()) {
    // a record of size and times for each file of a large directory would take longer than the system call
    if (isKept?.(stat) !== false) files.set(path, stampOf(stat))
    return true
  }
  // sockets are not recorded: without a program that listens they do no harm, and such a program is
  // not the command
  if (stat?.isFIFO() || stat?.isCharacterDevice() || stat?.isBlockDevice()) specials.set(path, stat.ctimeMs)
  return false
}

const stampOf = ({ ino, size, mtimeMs, ctimeMs, mode }: Stats): FileStamp => ({
  ino,
  size,
  mtimeMs,
  ctimeMs,
  mode: mode & 0o7777,
})

/**
 * Returns the bytes of a file. Undefined if it cannot be read, or if a running command has replaced a
 * directory on its path by a link.
 */
function readPinned(path: string): Buffer | undefined {
  try {
    return inFile(path, constants.O_RDONLY, (fd) => readFileSync(fd))
  } catch {
    return undefined
  }
}

const isSame = (a: FileStamp | undefined, b: FileStamp | undefined) =>
  a?.ino === b?.ino && a?.size === b?.size && a?.ctimeMs === b?.ctimeMs && a?.mode === b?.mode

interface FileRecord {
  listing: FileListing
  /** Bytes of git's index when the files were recorded; undefined without a readable index. */
  index: Buffer | undefined
  /** Files with content that git stores. */
  tracked: ReadonlySet<string>
}

/**
 * Records the files before a command. The bytes of small files that git does not store are put into `memory`,
 * up to the limits.
 */
export function recordFiles(
  folders: readonly string[],
  apart: readonly string[],
  memory: FileMemory,
): FileRecord {
  const { kept: keptFiles } = memory
  const listing = listFiles(folders, apart, memory)
  const { bytes: index, entries, written = 0 } = readRepositoryIndex(folders[0] ?? '/', memory.indexes) ?? {}
  const tracked = new Set<string>()
  let total = 0
  for (const [path, stamp] of listing.files) {
    const entry = entries?.get(path)
    // A file that changed in the second in which git recorded it may have changed after that, so its entry
    // cannot be trusted.
    const isSettled = entry !== undefined && entry.seconds * 1000 < written - 1000
    if (isSettled && isTracked(entry, stamp)) {
      tracked.add(path)
      keptFiles.delete(path)
      continue
    }
    if (stamp.size > maxKeptBytes || total + stamp.size > maxTotalBytes) continue
    total += stamp.size
    if (!isSame(keptFiles.get(path)?.stamp, stamp)) keepFile(path, stamp, keptFiles)
  }
  for (const path of keptFiles.keys()) if (!listing.files.has(path)) keptFiles.delete(path)
  return { listing, index, tracked }
}

function keepFile(path: string, stamp: FileStamp, keptFiles: FileMemory['kept']): void {
  const bytes = readPinned(path)
  if (bytes) keptFiles.set(path, { stamp, bytes })
  // a file that cannot be read now cannot be restored later
  else keptFiles.delete(path)
}

function isTracked({ seconds, nanoseconds, size }: IndexEntry, stamp: FileStamp): boolean {
  const whole = Math.floor(stamp.mtimeMs / 1000)
  const rest = (stamp.mtimeMs - whole * 1000) * 1e6
  return seconds === whole && size === stamp.size && Math.abs(rest - nanoseconds) < 1000
}

/**
 * Returns the files that a command has changed, created or removed since `record`. If a limit ended
 * the first listing, created files are unknown and not reported. If a limit ended `now`, removed files
 * are not reported.
 */
export function compareFiles(
  record: FileRecord,
  now: FileListing,
  { kept: keptFiles }: FileMemory,
): FileChange[] {
  const changes: FileChange[] = []
  for (const [path, old] of record.listing.files) {
    const fresh = now.files.get(path)
    if (isSame(old, fresh) || (!fresh && !now.all)) continue
    const from = record.tracked.has(path) ? 'git' : (keptFiles.get(path)?.bytes ?? 'nothing')
    changes.push({ path, before: { mode: old.mode, size: old.size, from } })
  }
  if (record.listing.all)
    for (const path of now.files.keys())
      if (!record.listing.files.has(path)) changes.push({ path, before: null })
  return changes
}
