// Lister of a directory's entries, including directories and links, down to a depth.
import { lstat } from 'node:fs/promises'
import type { ByteName } from '../base/text/byte-name.ts'
import { compareBytes } from './file-list.ts'
import type { Glob } from './glob/glob.ts'
import { entriesOf, type IgnoreScope, isIgnored, parentScopes, scopesBelow } from './ignore-scopes.ts'
import type { SearchEnd, SearchMeans } from './ripgrep/ripgrep.ts'

/** One entry; links are not followed. */
export interface DirectoryEntry {
  /** Name relative to the listed directory. */
  name: ByteName
  type: 'file' | 'directory' | 'link' | 'other'
  /** Size in bytes; null for an entry that is not a file, or that disappeared before its size was read. */
  size: number | null
}

interface DirectoryOrder {
  /** Real path of the directory. */
  dir: string
  /**
   * Real path of a directory that contains `dir`. Ignore files above it do not count, unless they are in
   * the same repository.
   */
  top: string
  /** Number of levels to list; 1 lists only the direct entries. */
  depth: number
  /** Whether entries whose name begins with a dot are included. */
  hidden: boolean
  exclude: readonly Glob[]
  /** Largest number of entries that are returned; further ones are only counted. */
  limit: number
  /** What happens to paths that ignore files exclude. Default: they are listed, but their content is not. */
  ignored?: 'skip' | 'enter'
}

interface DirectoryListing {
  entries: DirectoryEntry[]
  total: number
  /** Number of directories that could not be read. */
  unreadable: number
  ended: SearchEnd
}

/**
 * Lists entries in byte order, the entries of a directory directly after it. By default, paths that ignore
 * files exclude are listed but not entered. `.git` is never entered.
 */
export async function listDirectory(
  order: DirectoryOrder,
  means: Pick<SearchMeans, 'signal' | 'timeoutMs'>,
): Promise<DirectoryListing> {
  const listing: DirectoryListing = { entries: [], total: 0, unreadable: 0, ended: undefined }
  const deadline = performance.now() + means.timeoutMs
  const descend = async (at: ByteName, inherited: readonly IgnoreScope[], depth: number): Promise<void> => {
    if (means.signal.aborted) listing.ended = 'cancelled'
    else if (performance.now() > deadline) listing.ended = 'timeout'
    if (listing.ended) return
    const entries = await entriesOf(order.dir, at)
    if (!entries) {
      listing.unreadable++
      return
    }
    const judges = order.ignored === 'skip' || (depth < order.depth && order.ignored !== 'enter')
    const scopes = judges ? await scopesBelow(order.dir, at, entries, inherited) : []
    for (const { name, type } of entries.sort((a, b) => compareBytes(a.name, b.name))) {
      const path = at + name
      if (!order.hidden && name.startsWith('.')) continue
      if (order.exclude.some((glob) => glob.test(path))) continue
      const isIgnoredEntry = isIgnored(path, type === 'directory', scopes)
      if (isIgnoredEntry && order.ignored === 'skip') continue
      listing.total++
      if (listing.entries.length < order.limit) {
        listing.entries.push({ name: path, type, size: await sizeOf(order.dir, path, type) })
      }
      const enters = type === 'directory' && depth < order.depth && name !== '.git'
      if (enters && !isIgnoredEntry) await descend(`${path}/`, scopes, depth + 1)
    }
  }
  await descend('', await parentScopes(order), 1)
  return listing
}

async function sizeOf(dir: string, path: ByteName, type: DirectoryEntry['type']): Promise<number | null> {
  if (type !== 'file') return null
  const bytes = Buffer.concat([Buffer.from(`${dir}/`), Buffer.from(path, 'latin1')])
  return (await lstat(bytes).catch(() => undefined))?.size ?? null
}
