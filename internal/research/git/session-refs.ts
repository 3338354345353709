// The refs of a session in git, the file of its holdout (a secret second check), and commits that keep trees
// from being deleted. Also the error for a command that needs a git repository.
import { join } from 'node:path'
import { FailureError } from '../../base/errors.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { gitText } from '../../process/git/git.ts'
import { dataFolderOf } from '../measure/checkout-folders.ts'
import type { GitRepository } from './git-tree.ts'

export const needsGitError = (what: string) =>
  new FailureError({
    code: 'needs_git',
    message: `${what} needs a git repository`,
    hint: 'Run `git init` and commit, or use `--gate plain`, which works without commits and restoring.',
  })

/**
 * Returns the path of the file with the holdout command, a secret second check. The file is outside of the
 * session's directory, so that no path that a candidate sees leads to it.
 */
export const holdoutFile = (dir: string, segment: number): string =>
  join(dataFolderOf(dir), 'holdouts', fingerprint(`${dir} ${segment}`).slice(0, 24))

/** Returns the prefix of all git refs of a session, without a slash at the end. */
export const sessionRefs = (dir: string): string => `refs/anode/${dir.split('/').at(-1)}`

/** Author and committer of commits that only keep a tree from being deleted. */
const keeper = {
  GIT_AUTHOR_NAME: 'anode',
  GIT_AUTHOR_EMAIL: 'anode@localhost',
  GIT_COMMITTER_NAME: 'anode',
  GIT_COMMITTER_EMAIL: 'anode@localhost',
}

/**
 * Creates a commit with a tree, so that a ref to the commit protects the tree from garbage collection.
 * Returns the ID of the commit, which is on no branch.
 */
export async function retainTree(
  repo: GitRepository,
  tree: string,
  parent: string | undefined,
  subject: string,
): Promise<string> {
  const args = ['commit-tree', tree, ...(parent === undefined ? [] : ['-p', parent]), '-m', subject]
  return (await gitText(repo.run, repo.top, args, { extraEnv: keeper, childless: true })).trim()
}
