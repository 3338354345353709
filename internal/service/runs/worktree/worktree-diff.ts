// The changes of a run in its worktree, committed or not, compared with its target branch.
import { UserError } from '../../../base/errors.ts'
import { findGitLayout } from '../../../process/git/git-layout.ts'
import { type GitRepository, resolveCommit, runGit, snapshotTree } from '../../../research/git/git-tree.ts'
import type { WorktreeRecord } from './worktree-record.ts'

export interface ChangedPath {
  path: string
  /** Number of added lines; null for a file that is not text. */
  added: number | null
  removed: number | null
}

interface WorktreeState {
  /** Hash of a git tree with the files in the worktree, without ignored ones. */
  tree: string
  /**
   * Commit with which the tree is compared: the common ancestor of the worktree's branch and the target
   * branch. Without one, the commit of the last merge, or the one at which the worktree began.
   */
  from: string
  files: ChangedPath[]
}

/** Returns the changes in a worktree. Throws UserError if the worktree is missing. */
export async function readWorktreeState(
  repo: GitRepository,
  { path, into, base, merged }: WorktreeRecord,
): Promise<WorktreeState> {
  const layout = findGitLayout(path)
  if (layout?.top !== path) {
    throw new UserError(`the worktree ${path} is gone`, { hint: '`anode runs drop` forgets it', exit: 1 })
  }
  const tree = await snapshotTree(repo, layout, [])
  const from = await findParting(repo, path, into, merged ?? base)
  const rows = await runGit(repo, ['diff', '--numstat', '-z', '--no-renames', from, tree])
  const files = rows.split('\0').flatMap((row): ChangedPath[] => {
    const [, added = '', removed = '', name = ''] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(row) ?? []
    const count = (text: string) => (text === '-' ? null : Number(text))
    return name === '' ? [] : [{ path: name, added: count(added), removed: count(removed) }]
  })
  return { tree, from, files }
}

async function findParting(
  repo: GitRepository,
  path: string,
  into: string | null,
  base: string,
): Promise<string> {
  const head = await resolveCommit(repo, 'HEAD', path)
  const target = into === null ? undefined : await resolveCommit(repo, into)
  if (head === undefined || target === undefined) return base
  try {
    return (await runGit(repo, ['merge-base', target, head])).trim()
  } catch {
    // the branches no longer have a common commit, so the commit of the last merge is used, or the one at
    // which the worktree began
    return base
  }
}

/** Returns the patch as git prints it, without colors. */
export function readWorktreePatch(repo: GitRepository, { from, tree }: WorktreeState): Promise<string> {
  return runGit(repo, ['diff', '--no-color', '--no-renames', from, tree])
}
