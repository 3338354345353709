// Lists the files of a tree, through ripgrep or by walking it here.
import type { Name } from './name.ts'
import { type Means, ripgrep } from './ripgrep.ts'
import { admits, type Tree, walkArgs } from './tree.ts'
import { walk } from './walk.ts'

export interface Listing {
  engine: 'ripgrep' | 'walk'
  /** How many files the tree has that its glob admits. */
  total: number
  /** Sensitive files left out. */
  skipped: number
  unreadable: number
  ended: 'timeout' | 'cancelled' | undefined
}

/** Calls `take` for each file, in no order. */
export async function list(tree: Tree, means: Means, take: (name: Name) => void): Promise<Listing> {
  let total = 0
  const consider = (name: Name) => {
    if (!admits(tree, name)) return
    total++
    take(name)
  }
  const args = ['--files', '--null', ...(await walkArgs(tree))]
  let rest = ''
  const ran = await ripgrep(args, tree.dir, means, (chunk) => {
    const text = rest + chunk.toString('latin1')
    let from = 0
    for (let end = text.indexOf('\0'); end !== -1; end = text.indexOf('\0', from)) {
      // every name begins with the ./ of the path given
      consider(text.slice(from + 2, end))
      from = end + 1
    }
    rest = text.slice(from)
  })
  if (ran) {
    const skipped = ran.skipped.filter((name) => !tree.glob || tree.glob.test(name)).length
    return { engine: 'ripgrep', total, skipped, unreadable: ran.unreadable, ended: ran.ended }
  }
  const walked = await walk(tree, means, consider)
  return { engine: 'walk', total, ...walked }
}

/** Keeps the `limit` smallest names in byte order while counting nothing else, so a long list costs one comparison each. */
export function smallest(limit: number) {
  let kept: Name[] = []
  let bound: Name | undefined
  const settle = () => {
    kept.sort(byBytes)
    kept = kept.slice(0, limit)
    if (kept.length === limit) bound = kept.at(-1)
  }
  return {
    add(name: Name) {
      if (bound !== undefined && name > bound) return
      kept.push(name)
      if (kept.length >= limit * 2 + 512) settle()
    },
    names(): Name[] {
      settle()
      return kept
    },
  }
}

export const byBytes = (a: Name, b: Name) => (a < b ? -1 : a > b ? 1 : 0)
