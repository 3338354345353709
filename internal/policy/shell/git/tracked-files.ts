// The names of the files that git tracks around a directory, read from its index without starting a program.
import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/**
 * Largest size in bytes of a git index that is read. The tracked files of a larger index count as unknown.
 */
const maxBytes = 32 * 1024 * 1024

type TrackedSearch = { path: string } | 'none' | 'unknown'

/**
 * Returns the first tracked file that `isWanted` accepts by its absolute path. `none` without such a file or
 * repository; `unknown` if the index cannot be read, is too large or does not list all names.
 */
export function findTracked(dir: string, isWanted: (path: string) => boolean): TrackedSearch {
  for (let top = dir; ; top = dirname(top)) {
    const index = indexOf(join(top, '.git'))
    if (index === 'none') {
      if (dirname(top) === top) return 'none'
      continue
    }
    if (!index) return 'unknown'
    // Without an index, git tracks no files.
    const size = statSync(index, { throwIfNoEntry: false })?.size ?? 0
    if (size === 0) return 'none'
    if (size > maxBytes) return 'unknown'
    const names = readIndex(readFileSync(index))
    const name = names?.find((one) => isWanted(`${top === '/' ? '' : top}/${one}`))
    if (name !== undefined) return { path: join(top, name) }
    return names ? 'none' : 'unknown'
  }
}

/**
 * Returns the path of the index for this `.git`, `none` without `.git`, undefined if `.git` is
 * unreadable or malformed.
 */
function indexOf(dot: string): string | 'none' | undefined {
  try {
    const stat = statSync(dot, { throwIfNoEntry: false })
    if (!stat) return 'none'
    if (stat.isDirectory()) return join(dot, 'index')
    const target = /^gitdir: (.+)$/m.exec(stat.size < 4_096 ? readFileSync(dot, 'utf8') : '')?.[1]
    return target && join(resolve(dirname(dot), target.trim()), 'index')
  } catch {
    // `.git` may not be readable
    return undefined
  }
}

/**
 * First bits of the file modes of files, links and submodules. An index entry with other bits is for
 * a whole directory.
 */
const kinds: ReadonlySet<number> = new Set([0o10, 0o12, 0o16])

/** A tracked file as git last saw it. */
export interface IndexEntry {
  /** Path relative to the top of the checkout. */
  name: string
  /** Time of its last change, in seconds and nanoseconds. */
  seconds: number
  nanoseconds: number
  /** The lower 32 bits of the size of the file. */
  size: number
  /** Kind and permission bits: 0o100644, 0o120000 for a link, 0o160000 for a submodule. */
  mode: number
  /** Stage of the entry in the index: 0, or 1 to 3 while a merge is unresolved. */
  stage: number
  /** Position of the object name of the entry in the bytes of the index. */
  at: number
  /** Length of the object name in bytes: 20 for SHA-1, 32 for SHA-256. */
  length: number
}

/** Returns the names in an index; undefined if the bytes are not an index or do not contain all entries. */
export const readIndex = (bytes: Buffer): string[] | undefined =>
  readIndexEntries(bytes)?.map(({ name }) => name)

/** Returns the entries of an index; undefined if the bytes are not an index or do not contain all entries. */
export function readIndexEntries(bytes: Buffer): IndexEntry[] | undefined {
  // The length of object names is stored in another file, so both lengths are tried; only one
  // gives valid entries.
  return readEntries(bytes, 20) ?? readEntries(bytes, 32)
}

function readEntries(bytes: Buffer, hash: number): IndexEntry[] | undefined {
  const version =
    bytes.length < 12 + hash || bytes.toString('latin1', 0, 4) !== 'DIRC' ? 0 : bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return undefined
  const entries: IndexEntry[] = []
  let name = ''
  let at = 12
  for (let remainingEntries = bytes.readUInt32BE(8); remainingEntries > 0; remainingEntries--) {
    const flags = at + 40 + hash
    if (flags + 4 > bytes.length || !kinds.has(bytes.readUInt32BE(at + 24) >>> 12)) return undefined
    let from = flags + (bytes.readUInt16BE(flags) & 0x4000 ? 4 : 2)
    let keptLength = 0
    if (version === 4) [keptLength, from] = readKept(bytes, from, name.length)
    // for a short name, a loop takes less time than a call of `indexOf`
    let end = from
    while (end < bytes.length && bytes[end] !== 0) end++
    if (end === bytes.length || keptLength < 0) return undefined
    name = name.slice(0, keptLength) + bytes.toString('latin1', from, end)
    entries.push({
      name: decodeName(name),
      seconds: bytes.readUInt32BE(at + 8),
      nanoseconds: bytes.readUInt32BE(at + 12),
      size: bytes.readUInt32BE(at + 36),
      mode: bytes.readUInt32BE(at + 24),
      stage: (bytes.readUInt16BE(flags) >>> 12) & 3,
      at: at + 40,
      length: hash,
    })
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7)
  }
  return restIsPlain(bytes, at, bytes.length - hash) ? entries : undefined
}

const decodeName = (name: string) =>
  /[\x80-\xff]/.test(name) ? Buffer.from(name, 'latin1').toString() : name

/**
 * Returns how many characters of the previous name an entry of index version 4 reuses, and where the rest of
 * its name begins.
 */
function readKept(bytes: Buffer, from: number, length: number): [kept: number, from: number] {
  let at = from
  let byte = bytes[at++] ?? 0
  let removedLength = byte & 127
  while (byte & 128) {
    byte = bytes[at++] ?? 0
    removedLength = ((removedLength + 1) << 7) | (byte & 127)
  }
  return [length - removedLength, at]
}

/**
 * Returns true if the extensions after the entries do not mean that names are missing, as in a split index or
 * one with entries for whole directories.
 */
function restIsPlain(bytes: Buffer, from: number, end: number): boolean {
  let at = from
  while (at + 8 <= end) {
    if (/^(?:link|sdir)$/.test(bytes.toString('latin1', at, at + 4))) return false
    at += 8 + bytes.readUInt32BE(at + 4)
  }
  return at === end
}
