// Collection of the ignore files that apply in a searched directory, and their decision whether a
// path is ignored.
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { leadsOutside } from '../base/dirs.ts'
import { type ByteName, bytesOfText, textOfBytes } from '../base/text/byte-name.ts'
import { type IgnoreRule, ignoreVerdict, readRules } from './ignore-rules.ts'
import { ignoreFiles, type SearchTree } from './search-tree.ts'

/**
 * Ignore rules of one directory. A path relative to the searched directory becomes relative to the directory
 * of the rules: its first `depth` bytes are removed, and `before` is added in front.
 */
export interface IgnoreScope {
  /**
   * Precedence of the ignore file; a higher number wins even over deeper directories. `.rgignore` is 3,
   * `.ignore` 2, `.gitignore` 1, and `info/exclude` 0.
   */
  rank: number
  before: ByteName
  depth: number
  rules: readonly IgnoreRule[]
}

interface FoundEntry {
  name: ByteName
  /** Kind of the entry. A link is not followed. */
  type: 'file' | 'directory' | 'link' | 'other'
  /** True for a directory, false for a file, and undefined for any other entry. */
  folder: boolean | undefined
}

/**
 * Returns the entries of the directory `at` below `dir`, sorted by name; the name of a directory counts with
 * a slash at its end. Undefined if the directory cannot be read.
 */
export async function entriesOf(dir: string, at: ByteName): Promise<FoundEntry[] | undefined> {
  const bytes = Buffer.concat([Buffer.from(`${dir}/`), Buffer.from(at, 'latin1')])
  const entries = await readdir(bytes, { withFileTypes: true, encoding: 'buffer' }).catch(() => undefined)
  const foundEntries = entries?.map((entry): FoundEntry => {
    const name = entry.name.toString('latin1')
    if (entry.isDirectory()) return { name, type: 'directory', folder: true }
    if (entry.isFile()) return { name, type: 'file', folder: false }
    return { name, type: entry.isSymbolicLink() ? 'link' : 'other', folder: undefined }
  })
  const key = ({ name, folder }: FoundEntry) => (folder ? `${name}/` : name)
  return foundEntries?.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** Joins rules into one list, weakest first: sorted by kind of ignore file, then by depth. */
const mergeScopes = (inherited: readonly IgnoreScope[], ownScopes: readonly IgnoreScope[]) =>
  [...inherited, ...ownScopes].sort((a, b) => a.rank - b.rank)

/**
 * Returns the rules that apply in the directory `at` of the tree, which contains `entries`: inherited rules,
 * and those of the ignore files in it. A repository inside the tree does not inherit the rules of outer
 * `.gitignore` and `info/exclude` files.
 */
export async function scopesBelow(
  dir: string,
  at: ByteName,
  entries: readonly FoundEntry[],
  inherited: readonly IgnoreScope[],
): Promise<IgnoreScope[]> {
  // A repository inside the tree follows only its own .gitignore files, so those of outer directories
  // do not apply.
  const nested = at !== '' && entries.some((entry) => entry.name === '.git')
  const ownScopes = await scopesIn(join(dir, textOfBytes(at)), entries, { before: '', depth: at.length })
  return mergeScopes(nested ? inherited.filter((one) => one.rank > 1) : inherited, ownScopes)
}

/** Returns true if the strongest rule that matches the path ignores it; false without a match. */
export function isIgnored(path: ByteName, folder: boolean, all: readonly IgnoreScope[]): boolean {
  for (let i = all.length - 1; i >= 0; i--) {
    const { before, depth, rules } = all[i] as IgnoreScope
    const decision = ignoreVerdict(rules, before + path.slice(depth), folder)
    if (decision) return decision === 'ignore'
  }
  return false
}

/**
 * Returns the ignore rules of the directories above the searched one: up to the root of the repository, or
 * without a repository up to `top`.
 */
export async function parentScopes(tree: Pick<SearchTree, 'dir' | 'top'>): Promise<IgnoreScope[]> {
  const dirs: { dir: string; entries: FoundEntry[] }[] = []
  let repository = false
  for (let dir = tree.dir; !repository; dir = dirname(dir)) {
    const entries = (await entriesOf(dir, '')) ?? []
    repository = entries.some((entry) => entry.name === '.git')
    if (dir !== tree.dir) dirs.unshift({ dir, entries })
    if (dirname(dir) === dir) break
  }
  const within = dirs.filter(({ dir }) => repository || !leadsOutside(relative(tree.top, dir)))
  const scopeLists = within.map(({ dir, entries }) =>
    scopesIn(dir, entries, { before: bytesOfText(`${relative(dir, tree.dir)}/`), depth: 0 }),
  )
  return mergeScopes((await Promise.all(scopeLists)).flat(), [])
}

async function scopesIn(
  dir: string,
  entries: readonly FoundEntry[],
  place: Pick<IgnoreScope, 'before' | 'depth'>,
): Promise<IgnoreScope[]> {
  // Only regular files count, because reading a named pipe with such a name would never end.
  const names = new Set(entries.filter((entry) => entry.folder === false).map((entry) => entry.name))
  const files: { file: string; rank: number }[] = ignoreFiles
    .map((name, i) => ({ file: join(dir, name), rank: i + 1, here: names.has(name) }))
    .filter((one) => one.here)
  if (entries.some((entry) => entry.name === '.git'))
    files.unshift({ file: join(dir, '.git', 'info', 'exclude'), rank: 0 })
  const read = files.map(async ({ file, rank }) => {
    const text = await readFile(file, 'utf8').catch(() => '')
    return { ...place, rank, rules: readRules(text) }
  })
  return (await Promise.all(read)).filter((one) => one.rules.length > 0)
}
