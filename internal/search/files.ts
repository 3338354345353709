// Lists the files of a tree, through ripgrep or by walking it here.

import { unguarded } from './guarded.ts'
import type { Name } from './name.ts'
import { type Means, ripgrep } from './ripgrep.ts'
import type { SearchEnd } from './search-end.ts'
import { countGuarded, type Tree, walkArgs, wanted, wants } from './tree.ts'

export interface Listing {
  engine: 'ripgrep' | 'walk'
  /** How many files the tree has that its glob admits. */
  total: number
  /** Sensitive files left out. */
  skipped: number
  unreadable: number
  ended: SearchEnd
}

/** Hands over the files, some at a time, in no order. */
export async function list(tree: Tree, means: Means, take: (names: Name[]) => void): Promise<Listing> {
  let total = 0
  const skipped: Name[] = []
  const consider = (found: Name[]) => {
    const open = tree.guarded ? unguarded(found, skipped) : found
    total += open.length
    take(open)
  }
  const { walk: options, paths } = await walkArgs({ ...tree, guarded: false })
  const ran = await names([...options, ...paths], tree.dir, means, (found) => consider(wanted(tree, found)))
  if (ran) {
    const count = await countGuarded(tree, skipped)
    return { engine: 'ripgrep', total, skipped: count, unreadable: ran.unreadable, ended: ran.ended }
  }
  const { walk } = await import('./walk.ts')
  const walked = await walk(tree, means, (name) => {
    if (wants(tree, name)) consider([name])
  })
  return { engine: 'walk', total, ...walked }
}

/** Runs `rg --files` and hands over the names as they come. */
async function names(args: readonly string[], dir: string, means: Means, take: (names: Name[]) => void) {
  let rest = ''
  return ripgrep(['--files', '--null', ...args], dir, means, (chunk) => {
    const found = (rest + chunk.toString('latin1')).split('\0')
    rest = found.pop() as string
    take(found)
  })
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
    add(names: readonly Name[]) {
      for (const name of names) {
        if (bound === undefined || name < bound) kept.push(name)
      }
      if (kept.length >= limit * 2) settle()
    },
    names(): Name[] {
      settle()
      return kept
    },
  }
}

export const byBytes = (a: Name, b: Name) => (a < b ? -1 : a > b ? 1 : 0)
