// The index of a checkout, read without git and remembered while its file is unchanged.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type IndexEntry, readIndexEntries } from '../policy/shell/git/tracked-files.ts'
import { findGitLayout, type GitLayout } from '../process/git/git-layout.ts'

/** A larger index is not read. */
const maxBytes = 64 << 20

interface RepositoryIndex {
  layout: GitLayout
  /** Time of the last change of the file, in milliseconds. */
  written: number
  bytes: Buffer
  /** By absolute path; of an unresolved merge "our" side. Undefined if the index does not list all names. */
  entries: ReadonlyMap<string, IndexEntry> | undefined
  /** Absolute paths of submodules. */
  submodules: readonly string[]
}

/** What was read earlier in this session, by the path of the index. */
export type IndexMemory = Map<string, RepositoryIndex>

/** The index of the checkout that contains `dir`. Undefined without a repository or an index. */
export function readRepositoryIndex(dir: string, memory: IndexMemory): RepositoryIndex | undefined {
  const layout = layoutAt(dir)
  return layout && readIndexOf(layout, memory)
}

export function readIndexOf(layout: GitLayout, memory: IndexMemory): RepositoryIndex | undefined {
  try {
    const path = join(layout.gitDir, 'index')
    const { mtimeMs: written, size } = statSync(path)
    const known = memory.get(path)
    if (known?.written === written && known.layout.top === layout.top) return known
    if (size > maxBytes) return undefined
    const bytes = readFileSync(path)
    const index = { layout, written, bytes, ...listEntries(bytes, layout.top) }
    // a change within the same tick of the file system's clock would go unnoticed
    if (Date.now() - written > 100) memory.set(path, index)
    return index
  } catch {
    // no index yet, or one that cannot be read
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

/** The name of the object that an entry refers to, in hexadecimal digits. */
export const objectOf = (bytes: Buffer, { at, length }: IndexEntry): string =>
  bytes.toString('hex', at, at + length)

/** Undefined outside of repositories and for a `.git` that cannot be read. */
export function layoutAt(dir: string): GitLayout | undefined {
  try {
    return findGitLayout(dir)
  } catch {
    return undefined
  }
}
