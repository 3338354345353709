// Directories of a build's worktrees, which are created, filled with files, and then removed or kept for
// the next task.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { writeJsonRecord } from '../../base/files/json-record.ts'
import type { BuildHead } from '../../build/entries.ts'
import type { GitRepository } from '../../research/git/git-tree.ts'
import { requireGit, tryGit } from '../runs/worktree/worktree-git.ts'
import { openSpareWorktrees } from './spare-worktrees.ts'

interface WorktreeOrder {
  name: string
  commit: string
  /** True if every file of a reused worktree has to be compared with the commit. */
  isExact: boolean
}

/** A worktree in git's list of worktrees, before the files of its commit are written. */
interface PlacedWorktree {
  /**
   * Writes the files. Resolves to false if this is a spare worktree (of an ended task) that cannot
   * be used again.
   */
  fill(): Promise<boolean>
}

interface WorktreeFolders {
  isSpare(name: string): boolean
  /** Returns the number of spare worktrees, which ended tasks have left for later ones. */
  spares(): number
  /** Removes the worktree and its record. */
  discard(name: string): Promise<void>
  /** Keeps the worktree for the next task, or removes it. */
  release(name: string): Promise<void>
  /**
   * If `mayReuse` is set, uses a spare worktree, which an ended task has left. Otherwise, or if none
   * can be used, adds a new one to git's list. An existing worktree of this name that is not reused
   * is removed first.
   */
  place(order: WorktreeOrder, mayReuse: boolean): Promise<PlacedWorktree>
}

/**
 * Opens the worktree directories of a build. Its functions change git's list of worktrees, so only one of
 * them may run at a time.
 */
export function openWorktreeFolders(
  repo: GitRepository,
  { top, workers }: Pick<BuildHead, 'top' | 'workers'>,
  pathOf: (name: string) => string,
): WorktreeFolders {
  const spares = openSpareWorktrees(repo, { top, pathOf, limit: workers })
  // True while git's list may name a missing directory, which a killed process or a user has removed: until
  // the list is first cleaned, and again after a discard that finds its directory missing.
  let mayListMissing = true
  const discard = async (name: string) => {
    const path = pathOf(name)
    spares.forget(name)
    if (!existsSync(path)) mayListMissing = true
    else if (existsSync(top)) await tryGit(repo, top, ['worktree', 'remove', '--force', path])
    await rm(path, { recursive: true, force: true })
    await removeRecord(path)
  }
  const placeNew = async ({ name, commit }: WorktreeOrder): Promise<PlacedWorktree> => {
    const path = pathOf(name)
    await writeJsonRecord(`${path}.json`, { path })
    if (mayListMissing) await requireGit(repo, top, ['worktree', 'prune'])
    mayListMissing = false
    await requireGit(repo, top, ['worktree', 'add', '--quiet', '--detach', '--no-checkout', path, commit])
    return {
      async fill() {
        await requireGit(repo, path, ['reset', '--hard', '--quiet', '--no-recurse-submodules'])
        await spares.remember(name)
        return true
      },
    }
  }
  /** Uses a spare worktree (of an ended task) for the order. Returns undefined if none can be used. */
  const placeSpare = async (order: WorktreeOrder): Promise<PlacedWorktree | undefined> => {
    const { name, commit, isExact } = order
    if (spares.count() === 0) return undefined
    await writeJsonRecord(`${pathOf(name)}.json`, { path: pathOf(name) })
    const spare = await spares.take(name)
    if (!spare) return undefined
    // if the directory was moved, only its record is left under the old name
    if (spare.from !== name) {
      const from = pathOf(spare.from)
      await (existsSync(from) ? discard(spare.from) : removeRecord(from))
    }
    if (!spare.restore) await discard(name)
    const { restore } = spare
    return restore && { fill: () => restore(commit, isExact) }
  }
  return {
    isSpare: spares.isSpare,
    spares: spares.count,
    discard,
    release: async (name) => (spares.keep(name) ? undefined : discard(name)),
    async place(order, mayReuse) {
      const path = pathOf(order.name)
      const isThere = existsSync(`${path}.json`) || existsSync(path)
      if (isThere && !(mayReuse && spares.isSpare(order.name))) await discard(order.name)
      return (mayReuse ? await placeSpare(order) : undefined) ?? placeNew(order)
    },
  }
}

/** Removes the files of a worktree outside of its directory: its record, its patch, and copies of files. */
async function removeRecord(path: string): Promise<void> {
  for (const end of ['json', 'patch', 'index', 'files'])
    await rm(`${path}.${end}`, { recursive: true, force: true })
}
