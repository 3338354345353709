// The files of a folder before and after a walled command, and the bytes of those that git does not keep.
import { constants, lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs'
import { inFile } from '../base/files/pinned-directory.ts'
import type { IndexEntry } from '../policy/shell/git/tracked-files.ts'
import type { FileChange, FileStamp } from '../process/process-command.ts'
import { packageFolders } from './folder-places.ts'
import { type IndexMemory, readRepositoryIndex } from './repository-index.ts'

/** More files are not looked at, nor is there more time. */
const maxFiles = 10_000
const maxMs = 2000
/** Larger files are not kept, nor more bytes in all. */
const maxKeptBytes = 1 << 20
const maxTotalBytes = 64 << 20

interface FileListing {
  files: Map<string, FileStamp>
  /** Named pipes and devices, with the time of their last change. */
  specials: Map<string, number>
  /** False when there was more than could be looked at. */
  all: boolean
}

/** What is remembered between the commands of a session: all of it can be found out anew. */
interface FileMemory {
  /** Bytes of files that git does not keep, by path. */
  kept: Map<string, { stamp: FileStamp; bytes: Buffer }>
  /** Paths in folders that have not changed since; the same strings each time, which maps find fast. */
  folders: Map<string, { changed: number; files: string[]; folders: string[] }>
  /** Indexes of git by their paths. */
  indexes: IndexMemory
}

export const createFileMemory = (): FileMemory => ({
  kept: new Map(),
  folders: new Map(),
  indexes: new Map(),
})

/**
 * Files below the folders but for packages, results, repositories' own files and folders in `apart`.
 * `isWanted` selects those whose state is read.
 */
export function listFiles(
  folders: readonly string[],
  apart: readonly string[],
  memory: FileMemory,
  isWanted?: (path: string) => boolean,
): FileListing {
  const found: FileListing = { files: new Map(), specials: new Map(), all: true }
  const until = performance.now() + maxMs
  const skipped = new Set(apart)
  const todo = [...folders]
  for (let dir = todo.pop(); dir !== undefined; dir = todo.pop()) {
    if (found.files.size >= maxFiles || performance.now() > until) return { ...found, all: false }
    const paths = pathsIn(dir, memory)
    for (const path of paths?.files ?? []) if (isWanted?.(path) !== false) note(path, found)
    for (const path of paths?.folders ?? []) if (!skipped.has(path)) todo.push(path)
  }
  return found
}

/** Undefined for what is gone meanwhile, or not ours to read. */
function pathsIn(dir: string, { folders: memory }: FileMemory) {
  try {
    const changed = lstatSync(dir).mtimeMs
    const known = memory.get(dir)
    if (known?.changed === changed) return known
    const files: string[] = []
    const folders: string[] = []
    const lead = dir === '/' ? '' : dir
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (!entry.isDirectory()) {
        if (!entry.isSymbolicLink()) files.push(`${lead}/${entry.name}`)
      } else if (entry.name !== '.git' && !packageFolders.has(entry.name))
        folders.push(`${lead}/${entry.name}`)
    }
    const seen = { changed, files, folders }
    // what changes within the same tick of the file system's clock looks unchanged
    if (Date.now() - changed > 100) memory.set(dir, seen)
    return seen
  } catch {
    return undefined
  }
}

function note(path: string, { files, specials }: FileListing): void {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isFile()) files.set(path, stampOf(stat))
  // a socket that nobody listens on refuses, one that somebody does is somebody else's
  else if (stat?.isFIFO() || stat?.isCharacterDevice() || stat?.isBlockDevice())
    specials.set(path, stat.ctimeMs)
}

const stampOf = ({ ino, size, mtimeMs, ctimeMs, mode }: Stats): FileStamp => ({
  ino,
  size,
  mtimeMs,
  ctimeMs,
  mode: mode & 0o7777,
})

/** A command that still runs may have put a link in place of the directory: then nothing is read. */
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
  /** The index of git at that time; absent outside of repositories. */
  index: Buffer | undefined
  /** Files whose bytes git has. */
  tracked: ReadonlySet<string>
}

/** Before the command: what is there, with the bytes of small files that git does not keep in memory. */
export function recordFiles(
  folders: readonly string[],
  apart: readonly string[],
  memory: FileMemory,
): FileRecord {
  const { kept } = memory
  const listing = listFiles(folders, apart, memory)
  const { bytes: index, entries, written = 0 } = readRepositoryIndex(folders[0] ?? '/', memory.indexes) ?? {}
  const tracked = new Set<string>()
  let total = 0
  for (const [path, stamp] of listing.files) {
    const entry = entries?.get(path)
    // what changed in the moment in which git looked may have changed after it
    const isSettled = entry !== undefined && entry.seconds * 1000 < written - 1000
    if (isSettled && isTracked(entry, stamp)) {
      tracked.add(path)
      kept.delete(path)
      continue
    }
    if (stamp.size > maxKeptBytes || total + stamp.size > maxTotalBytes) continue
    total += stamp.size
    if (!isSame(kept.get(path)?.stamp, stamp)) keep(path, stamp, kept)
  }
  for (const path of kept.keys()) if (!listing.files.has(path)) kept.delete(path)
  return { listing, index, tracked }
}

function keep(path: string, stamp: FileStamp, kept: FileMemory['kept']): void {
  const bytes = readPinned(path)
  if (bytes) kept.set(path, { stamp, bytes })
  // what cannot be read cannot be restored
  else kept.delete(path)
}

function isTracked({ seconds, nanoseconds, size }: IndexEntry, stamp: FileStamp): boolean {
  const whole = Math.floor(stamp.mtimeMs / 1000)
  const rest = (stamp.mtimeMs - whole * 1000) * 1e6
  return seconds === whole && size === stamp.size && Math.abs(rest - nanoseconds) < 1000
}

/** After the command: what is different now. Files that were only read are left out. */
export function compareFiles(record: FileRecord, now: FileListing, { kept }: FileMemory): FileChange[] {
  const changes: FileChange[] = []
  for (const [path, old] of record.listing.files) {
    const fresh = now.files.get(path)
    if (isSame(old, fresh) || (!fresh && !now.all)) continue
    const from = record.tracked.has(path) ? 'git' : (kept.get(path)?.bytes ?? 'nothing')
    changes.push({ path, before: { mode: old.mode, size: old.size, from } })
  }
  if (record.listing.all)
    for (const path of now.files.keys())
      if (!record.listing.files.has(path)) changes.push({ path, before: null })
  return changes
}
