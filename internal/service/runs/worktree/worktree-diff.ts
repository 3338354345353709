// What a run has changed in its worktree, committed or not, against the branch that it is to be merged into.
import { UserError } from '../../../base/errors.ts'
import { findGitLayout } from '../../../process/git/git-layout.ts'
import { type GitRepository, resolveCommit, runGit, snapshotTree } from '../../../research/git/git-tree.ts'
import type { WorktreeRecord } from './worktree-record.ts'

export interface ChangedPath {
  path: string
  /** null: no text. */
  added: number | null
  removed: number | null
}

interface WorktreeState {
  /** Of the files as they lie there, ignored ones left out. */
  tree: string
  /** Commit that the changes are counted from: where the two branches parted. */
  from: string
  files: ChangedPath[]
}

/** Throws UserError for a worktree that is gone. */
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
    // no common history any more
    return base
  }
}

/** As git prints it, without colours. */
export function readWorktreePatch(repo: GitRepository, { from, tree }: WorktreeState): Promise<string> {
  return runGit(repo, ['diff', '--no-color', '--no-renames', from, tree])
}
