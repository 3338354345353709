// Lister of the files in a directory, with ripgrep or, without ripgrep, by reading the directories.

import type { ByteName } from '../base/text/byte-name.ts'
import { removeGuarded, runRipgrep, type SearchEnd, type SearchMeans } from './ripgrep/ripgrep.ts'
import { countGuarded, filterWanted, type SearchTree, walkArgs, wantsName } from './search-tree.ts'

interface FileListing {
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
): Promise<FileListing> {
  let total = 0
  const skipped: ByteName[] = []
  const consider = (foundNames: ByteName[]) => {
    const open = tree.guarded ? removeGuarded(foundNames, skipped) : foundNames
    total += open.length
    take(open)
  }
  const { walk: options, paths } = await walkArgs({ ...tree, guarded: false })
  const ran = await streamNames([...options, ...paths], tree.dir, means, (foundNames) =>
    consider(filterWanted(tree, foundNames)),
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
async function streamNames(
  args: readonly string[],
  dir: string,
  means: SearchMeans,
  take: (names: ByteName[]) => void,
) {
  let rest = ''
  return runRipgrep(['--files', '--null', ...args], dir, means, (chunk) => {
    const foundNames = (rest + chunk.toString('latin1')).split('\0')
    rest = foundNames.pop() as string
    take(foundNames)
  })
}

/** Collects the `limit` smallest names in byte order. It stores at most about twice as many names. */
export function collectSmallest(limit: number) {
  let smallestNames: ByteName[] = []
  let bound: ByteName | undefined
  const settle = () => {
    smallestNames.sort(compareBytes)
    smallestNames = smallestNames.slice(0, limit)
    if (smallestNames.length === limit) bound = smallestNames.at(-1)
  }
  return {
    add(names: readonly ByteName[]) {
      for (const name of names) {
        if (bound === undefined || name < bound) smallestNames.push(name)
      }
      if (smallestNames.length >= limit * 2) settle()
    },
    names(): ByteName[] {
      settle()
      return smallestNames
    },
  }
}

export const compareBytes = (a: ByteName, b: ByteName) => (a < b ? -1 : a > b ? 1 : 0)
