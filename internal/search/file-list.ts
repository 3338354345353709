// Lister of the files in a directory, with ripgrep or, without ripgrep, by reading the directories.

import type { ByteName } from '../base/text/byte-name.ts'
import { removeGuarded, runRipgrep, type SearchEnd, type SearchMeans } from './ripgrep/ripgrep.ts'
import { countGuarded, filterWanted, type SearchTree, walkArgs, wantsName } from './search-tree.ts'

interface Listing {
  engine: 'ripgrep' | 'walk'
  /**
   * Number of files that the search wants. Files with sensitive names are not counted if the
   * search skips them.
   */
  total: number
  /** Number of files that were skipped because their names are sensitive. */
  skipped: number
  unreadable: number
  ended: SearchEnd
}

/**
 * Calls `take` with the names of the files, in several parts and in arbitrary order. Returns their number,
 * and how many others were skipped or unreadable.
 */
export async function listFiles(
  tree: SearchTree,
  means: SearchMeans,
  take: (names: ByteName[]) => void,
): Promise<Listing> {
  let total = 0
  const skipped: ByteName[] = []
  const consider = (found: ByteName[]) => {
    const open = tree.guarded ? removeGuarded(found, skipped) : found
    total += open.length
    take(open)
  }
  const { walk: options, paths } = await walkArgs({ ...tree, guarded: false })
  const ran = await names([...options, ...paths], tree.dir, means, (found) =>
    consider(filterWanted(tree, found)),
  )
  if (ran) {
    const count = await countGuarded(tree, skipped)
    return { engine: 'ripgrep', total, skipped: count, unreadable: ran.unreadable, ended: ran.ended }
  }
  const { walkTree } = await import('./tree-walk.ts')
  const walked = await walkTree(tree, means, (name) => {
    if (wantsName(tree, name)) consider([name])
  })
  return { engine: 'walk', total, ...walked }
}

/**
 * Runs `rg --files` and calls `take` with the names as they arrive. Returns undefined if ripgrep
 * does not start.
 */
async function names(
  args: readonly string[],
  dir: string,
  means: SearchMeans,
  take: (names: ByteName[]) => void,
) {
  let rest = ''
  return runRipgrep(['--files', '--null', ...args], dir, means, (chunk) => {
    const found = (rest + chunk.toString('latin1')).split('\0')
    rest = found.pop() as string
    take(found)
  })
}

/** Collects the `limit` smallest names in byte order. It stores at most about twice as many names. */
export function collectSmallest(limit: number) {
  let kept: ByteName[] = []
  let bound: ByteName | undefined
  const settle = () => {
    kept.sort(compareBytes)
    kept = kept.slice(0, limit)
    if (kept.length === limit) bound = kept.at(-1)
  }
  return {
    add(names: readonly ByteName[]) {
      for (const name of names) {
        if (bound === undefined || name < bound) kept.push(name)
      }
      if (kept.length >= limit * 2) settle()
    },
    names(): ByteName[] {
      settle()
      return kept
    },
  }
}

export const compareBytes = (a: ByteName, b: ByteName) => (a < b ? -1 : a > b ? 1 : 0)
