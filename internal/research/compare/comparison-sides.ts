// The two sides of a comparison, resolved to git trees. Checkout, index and branches stay unchanged.
import { UserError } from '../../base/errors.ts'
import { type GitRepository, resolveCommit, resolveTree, runGit, snapshotTree } from '../git/git-tree.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'
import type { ComparisonOrder, ComparisonSide } from './comparison.ts'

/** Names under which the default branch is searched, the most reliable one first. */
const defaultBranches = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master']

/**
 * Finds the commits and trees of both sides. Without `base`, uses `forkPoint`. Throws UserError (exit 2)
 * without a repository, and for a side that is unknown or cannot be found. In a shallow clone, the error
 * contains the command that fetches the commit.
 */
export async function resolveSides(
  session: LockedSession,
  order: Pick<ComparisonOrder, 'base' | 'head'>,
): Promise<{ base: ComparisonSide; head: ComparisonSide }> {
  const { repo } = session
  if (!repo)
    throw new UserError('a comparison needs a git repository', { hint: 'Run `git init` and commit.' })
  const { head = '.' } = order
  const baseName = order.base ?? (await forkPoint(session, repo, head === '.' ? 'HEAD' : head))
  return {
    base: await resolveSide(session, repo, 'BASE', baseName),
    head: await resolveSide(session, repo, 'HEAD', head),
  }
}

async function resolveSide(
  session: LockedSession,
  repo: GitRepository,
  side: 'BASE' | 'HEAD',
  name: string,
): Promise<ComparisonSide> {
  const { repository } = session.experiment.where
  if (name === '.' && repository) return { name, tree: await snapshotTree(repo, repository, []) }
  const tree = name.startsWith('-') ? undefined : await resolveTree(repo, name)
  if (tree === undefined) throw await missingSide(repo, side, name)
  return { name, tree, commit: await resolveCommit(repo, name) }
}

/**
 * Returns the latest common commit of `head` and another branch: the target branch of a pull request, or else
 * the default branch. Throws UserError without such a branch or commit.
 */
async function forkPoint(session: LockedSession, repo: GitRepository, head: string): Promise<string> {
  const target = session.experiment.options.env.GITHUB_BASE_REF
  const names = target ? [`origin/${target}`, ...defaultBranches] : defaultBranches
  for (const name of names) {
    if ((await resolveCommit(repo, name)) === undefined) continue
    const mergeBase = (await runGit(repo, ['merge-base', name, head]).catch(() => '')).trim()
    if (mergeBase !== '') return mergeBase
    throw await missingSide(repo, 'BASE', name)
  }
  throw new UserError('BASE is missing, and this repository has no default branch', {
    hint: 'Name a commit: anode research compare HEAD~1 --cmd CMD',
  })
}

async function missingSide(repo: GitRepository, side: 'BASE' | 'HEAD', name: string): Promise<UserError> {
  const isShallow = (await runGit(repo, ['rev-parse', '--is-shallow-repository'])).trim() === 'true'
  if (!isShallow)
    return new UserError(`${side} "${name}" is not a commit of this repository`, {
      hint: 'List commits with: git log --oneline --all',
    })
  const branch = /^origin\/(.+)$/.exec(name)?.[1]
  const isBranchMissing = branch !== undefined && (await resolveCommit(repo, name)) === undefined
  const fetch = isBranchMissing
    ? `git fetch --depth=1 origin ${branch}:refs/remotes/origin/${branch}`
    : 'git fetch --unshallow origin'
  return new UserError(`${side} "${name}" is missing in this shallow clone`, { hint: `Fetch it: ${fetch}` })
}
