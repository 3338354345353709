// Walks a tree without ripgrep: hidden, ignored, sensitive and linked entries left out in the same way.
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type ByteName, bytesOfText, textOfBytes } from './byte-name.ts'
import { type IgnoreRule, ignoreVerdict, readRules } from './ignore-rules.ts'
import { isGuarded } from './ripgrep/guarded-files.ts'
import type { SearchMeans } from './ripgrep/ripgrep.ts'
import { ignoreFiles, type SearchTree } from './search-tree.ts'

/**
 * The rules of one folder and how its paths are made of the tree's: cut after `depth` bytes, or put `before`
 * in front.
 */
interface Rules {
  /** Kinds of ignore files outrank depth: `.rgignore`, `.ignore`, `.gitignore`, then `info/exclude` as 0. */
  rank: number
  before: ByteName
  depth: number
  rules: readonly IgnoreRule[]
}

/** Calls `take` for each file in byte order. A folder that cannot be read is counted and passed by. */
export async function walkTree(
  tree: SearchTree,
  means: Pick<SearchMeans, 'signal' | 'timeoutMs'>,
  take: (name: ByteName) => void,
) {
  const result = { skipped: 0, unreadable: 0, ended: undefined as 'timeout' | 'cancelled' | undefined }
  if (tree.files) {
    for (const file of tree.files) take(bytesOfText(file))
    return result
  }
  const deadline = performance.now() + means.timeoutMs

  const descend = async (at: ByteName, inherited: readonly Rules[]): Promise<void> => {
    if (means.signal.aborted) result.ended = 'cancelled'
    else if (performance.now() > deadline) result.ended = 'timeout'
    if (result.ended) return
    const entries = await entriesOf(tree.dir, at)
    if (!entries) {
      result.unreadable++
      return
    }
    // a repository within answers to its own .gitignore only
    const nested = at !== '' && entries.some((entry) => entry.name === '.git')
    const own = await rulesIn(join(tree.dir, textOfBytes(at)), entries, { before: '', depth: at.length })
    const rules = merge(nested ? inherited.filter((one) => one.rank > 1) : inherited, own)
    for (const { name, folder } of entries) {
      const path = at + name
      if (name === '.git' || folder === undefined) continue
      const unseen = !tree.hidden && name.startsWith('.')
      if (tree.guarded && isGuarded(name)) {
        const counts = (!unseen || at === '') && (!tree.glob || tree.glob.test(path))
        if (counts) result.skipped++
      } else if (unseen || ignored(path, folder, rules)) continue
      else if (folder) await descend(`${path}/`, rules)
      else take(path)
    }
  }
  await descend('', await parentRules(tree))
  return result
}

interface Found {
  name: ByteName
  /** Undefined for what is neither file nor folder; links are not followed. */
  folder: boolean | undefined
}

/** The entries of one folder in the order their paths have, or undefined. */
async function entriesOf(dir: string, at: ByteName): Promise<Found[] | undefined> {
  const bytes = Buffer.concat([Buffer.from(`${dir}/`), Buffer.from(at, 'latin1')])
  const entries = await readdir(bytes, { withFileTypes: true, encoding: 'buffer' }).catch(() => undefined)
  const found = entries?.map((entry) => ({
    name: entry.name.toString('latin1'),
    folder: entry.isDirectory() ? true : entry.isFile() ? false : undefined,
  }))
  const key = ({ name, folder }: Found) => (folder ? `${name}/` : name)
  return found?.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** Weakest first: by kind, then by depth. */
const merge = (inherited: readonly Rules[], own: readonly Rules[]) =>
  [...inherited, ...own].sort((a, b) => a.rank - b.rank)

/** The strongest rules that say anything decide. */
function ignored(path: ByteName, folder: boolean, all: readonly Rules[]): boolean {
  for (let i = all.length - 1; i >= 0; i--) {
    const { before, depth, rules } = all[i] as Rules
    const decision = ignoreVerdict(rules, before + path.slice(depth), folder)
    if (decision) return decision === 'ignore'
  }
  return false
}

/** Rules of the folders above the tree: up to the repository's root, or up to `top` where there is none. */
async function parentRules(tree: SearchTree): Promise<Rules[]> {
  const dirs: { dir: string; entries: Found[] }[] = []
  let repository = false
  for (let dir = tree.dir; !repository; dir = dirname(dir)) {
    const entries = (await entriesOf(dir, '')) ?? []
    repository = entries.some((entry) => entry.name === '.git')
    if (dir !== tree.dir) dirs.unshift({ dir, entries })
    if (dirname(dir) === dir) break
  }
  const within = dirs.filter(({ dir }) => repository || !relative(tree.top, dir).startsWith('..'))
  const found = within.map(({ dir, entries }) =>
    rulesIn(dir, entries, { before: bytesOfText(`${relative(dir, tree.dir)}/`), depth: 0 }),
  )
  return merge((await Promise.all(found)).flat(), [])
}

async function rulesIn(
  dir: string,
  entries: readonly Found[],
  place: Pick<Rules, 'before' | 'depth'>,
): Promise<Rules[]> {
  // only regular files: reading a pipe of that name would never end
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
