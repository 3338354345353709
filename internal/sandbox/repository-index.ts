// Reader of the git index of a checkout, which lists its tracked files. It works without git and caches
// an unchanged index.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type IndexEntry, readIndexEntries } from '../policy/shell/git/tracked-files.ts'
import { findGitLayout, type GitLayout } from '../process/git/git-layout.ts'

/** Largest size in bytes of an index. A larger one is treated as missing. */
const maxBytes = 64 << 20

interface RepositoryIndex {
  layout: GitLayout
  /** Time of the last change of the file's content, in milliseconds since 1970. */
  written: number
  /**
   * Time of the last change of the file or of its times, in milliseconds since 1970, which no program
   * can set back.
   */
  changed: number
  bytes: Buffer
  /**
   * Entries by absolute path; in an unresolved merge, those of the current branch, else of the common
   * ancestor. Undefined if the index does not list all names.
   */
  entries: ReadonlyMap<string, IndexEntry> | undefined
  /** Absolute paths of submodules. */
  submodules: readonly string[]
}

/** Indexes that this session has read, by path. */
export type IndexMemory = Map<string, RepositoryIndex>

/**
 * Returns the index of the checkout that contains `dir`; undefined without a repository or an index, and if
 * the index is too large or cannot be read.
 */
export function readRepositoryIndex(dir: string, memory: IndexMemory): RepositoryIndex | undefined {
  const layout = layoutAt(dir)
  return layout && readIndexOf(layout, memory)
}

export function readIndexOf(layout: GitLayout, memory: IndexMemory): RepositoryIndex | undefined {
  try {
    const path = join(layout.gitDir, 'index')
    const { mtimeMs: written, ctimeMs: changed, size } = statSync(path)
    const cachedIndex = memory.get(path)
    if (cachedIndex?.changed === changed && cachedIndex.layout.top === layout.top) return cachedIndex
    if (size > maxBytes) return undefined
    const bytes = readFileSync(path)
    const index = { layout, written, changed, bytes, ...listEntries(bytes, layout.top) }
    // An index that changed just now is not cached, because a further change may get the same time and so
    // would not be noticed.
    if (Date.now() - changed > 100) memory.set(path, index)
    return index
  } catch {
    // The index does not exist yet or cannot be read.
    return undefined
  }
}

function listEntries(bytes: Buffer, top: string): Pick<RepositoryIndex, 'entries' | 'submodules'> {
  const all = readIndexEntries(bytes)
  if (!all) return { entries: undefined, submodules: [] }
  const entries = new Map<string, IndexEntry>()
  const submodules: string[] = []
  const lead = top === '/' ? '' : top
  for (const entry of all) {
    const path = `${lead}/${entry.name}`
    if (entry.stage !== 3 && (entry.stage !== 1 || !entries.has(path))) entries.set(path, entry)
    if (entry.mode >>> 12 === 0o16) submodules.push(path)
  }
  return { entries, submodules }
}

/** Returns the hash of the file content (object name) in an entry, in hexadecimal digits. */
export const objectOf = (bytes: Buffer, { at, length }: IndexEntry): string =>
  bytes.toString('hex', at, at + length)

/**
 * Returns the top and the repository directories of the checkout that contains `dir`; undefined outside of
 * repositories and for an unreadable `.git`.
 */
export function layoutAt(dir: string): GitLayout | undefined {
  try {
    return findGitLayout(dir)
  } catch {
    return undefined
  }
}
