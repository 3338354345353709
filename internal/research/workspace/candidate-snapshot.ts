// The files of a candidate: the tree of its checkout without files that runs created, compared with
// the best tree.
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeGlob } from '../../policy/rules/rule-match.ts'
import { branchOf } from '../git/git-state.ts'
import {
  compareTrees,
  type GitRepository,
  graftTree,
  resolveCommit,
  resolveTree,
  runGit,
  snapshotTree,
  type TreeDifference,
} from '../git/git-tree.ts'
import type { ExperimentSegment } from '../ledger/fold.ts'
import { currentTimestamp } from '../ledger/ledger-file.ts'
import { findOutOfScope, isSteering } from './change-scope.ts'
import { type LockedSession, recordEntry } from './experiment-workspace.ts'
import { type FolderFootprint, isSameFootprint, takeSettledFootprint } from './folder-footprint.ts'
import { readLock } from './integrity-lock.ts'
import { type CandidateCheckout, readIfPresent } from './session-location.ts'

export interface CandidateSnapshot {
  /** Tree of the whole checkout, without `.auto`. */
  checkoutTree: string
  /**
   * Tree of the candidate: the checkout, but with files that runs produced, and those in `leftOut`, as they
   * are in the best tree.
   */
  tree: string
  head: string
  /** Differences from the best tree to the candidate. Paths are relative to the top of the checkout. */
  changes: TreeDifference[]
  /** New files out of scope that an earlier run found. They do not belong to this candidate. */
  leftOut: string[]
}

/** Returns the tree of a checkout, without the directory `.auto`. */
export async function snapshotCheckout(session: LockedSession, checkout: CandidateCheckout): Promise<string> {
  const prefix = session.experiment.where.repository?.prefix ?? ''
  const take = () => snapshotTree(session.repo as GitRepository, checkout, [`${prefix}.auto`])
  // The user's checkout may contain many files that git ignores, so comparing their metadata would be slow.
  if (checkout.where === 'workspace') return take()
  const { seen: snapshots } = session.experiment
  const now = new Map([...(await takeSettledFootprint(checkout.top)), ...(await indexOf(checkout))])
  const before = snapshots.get(checkout.top)
  if (before && isSameFootprint(before.footprint, now)) return before.tree
  const tree = await take()
  snapshots.set(checkout.top, { footprint: now, tree })
  return tree
}

/**
 * Returns the metadata of the git index, which decides which files are tracked. Its key `/index` begins with
 * a slash, unlike the path of a file.
 */
async function indexOf({ gitDir }: CandidateCheckout): Promise<FolderFootprint> {
  const stat = await lstat(join(gitDir, 'index'), { bigint: true }).catch(() => undefined)
  return new Map([['/index', stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : '']])
}

/**
 * Returns the current commit of a checkout, or an empty text without one. For a worktree of Anode it is read
 * from a file, without git.
 */
async function headOf(repo: GitRepository, { top, gitDir, where }: CandidateCheckout): Promise<string> {
  const text = where === 'worktree' ? ((await readIfPresent(join(gitDir, 'HEAD'))) ?? '').trim() : ''
  return /^[0-9a-f]{40,64}$/.test(text) ? text : ((await resolveCommit(repo, 'HEAD', top)) ?? '')
}

/**
 * Returns the current files of a checkout as a candidate. `best` is the tree to compare with. In the
 * workspace, files that runs have made, and new files that an earlier run found out of scope, are left out.
 */
export async function snapshotCandidate(
  session: LockedSession,
  segment: ExperimentSegment,
  checkout: CandidateCheckout,
  best: string,
): Promise<CandidateSnapshot> {
  const repo = session.repo as GitRepository
  const head = await headOf(repo, checkout)
  const currentTree = await snapshotCheckout(session, checkout)
  if (checkout.where !== 'workspace')
    return {
      checkoutTree: currentTree,
      tree: currentTree,
      head,
      changes: await compareTrees(repo, best, currentTree),
      leftOut: [],
    }
  const candidateTree = await withoutProduced(session, segment, currentTree, best)
  const all = await compareTrees(repo, best, candidateTree)
  const earlier = all.filter((change) => wasThereBefore(change, segment))
  const back = earlier.map(({ path, from, to }) => ({ path, from: to, to: from }))
  const tree = await graftTree(repo, candidateTree, back)
  const changes = all.filter((change) => !earlier.includes(change))
  return { checkoutTree: currentTree, tree, head, changes, leftOut: earlier.map(({ path }) => path) }
}

/**
 * Returns true if the change adds a file that an earlier run of the segment already found out of scope,
 * except a submodule or a file that controls git. Such files are left in place, so the file existed before
 * this candidate. It is neither measured nor committed, so it cannot change a result.
 */
function wasThereBefore({ path, from, to }: TreeDifference, { runs }: ExperimentSegment): boolean {
  if (from !== undefined || to?.mode === '160000' || isSteering(path)) return false
  return runs.some(({ where, outside = [] }) => where === 'workspace' && outside.includes(path))
}

/**
 * Returns the tree `currentTree`, in which files that a run created or changed are replaced by their version
 * in the best tree. Files that have changed since that run stay.
 */
async function withoutProduced(
  session: LockedSession,
  segment: ExperimentSegment,
  currentTree: string,
  best: string,
): Promise<string> {
  const repo = session.repo as GitRepository
  const treeByPath = new Map<string, string>()
  for (const { produced = [], after } of segment.runs)
    for (const path of produced) if (after) treeByPath.set(path, after)
  if (treeByPath.size === 0) return currentTree
  const back: TreeDifference[] = []
  const differs = await compareTrees(repo, currentTree, best)
  for (const after of new Set(treeByPath.values())) {
    if ((await resolveTree(repo, after)) === undefined) continue
    const changed = new Set((await compareTrees(repo, after, currentTree)).map(({ path }) => path))
    back.push(...differs.filter(({ path }) => treeByPath.get(path) === after && !changed.has(path)))
  }
  return graftTree(repo, currentTree, back)
}

/**
 * Adds commits that were made in the workspace since the last run, other than Anode's, to the best tree.
 * They do not belong to a candidate and are never reverted. Paths that kept candidates have changed stay as
 * in the best tree.
 */
export async function adoptCommits(session: LockedSession, segment: ExperimentSegment): Promise<void> {
  const { repo, experiment } = session
  const { repository } = experiment.where
  if (!repo || !repository || segment.head === undefined || segment.best?.tree === undefined) return
  const head = await resolveCommit(repo, 'HEAD')
  if (head === undefined || head === segment.head) return
  if ((await resolveCommit(repo, segment.head)) === undefined) return
  const best = segment.best.tree
  const auto = `${repository.prefix}.auto/`
  const newChanges = (await compareTrees(repo, segment.head, head)).filter(
    ({ path }) => !path.startsWith(auto),
  )
  const differing = new Map(
    (await compareTrees(repo, segment.head, best)).map((change) => [change.path, change]),
  )
  const adoptedChanges = newChanges.filter(({ path }) => !differing.has(path))
  const tree = await graftTree(repo, best, adoptedChanges)
  const paths = adoptedChanges.map(({ path }) => path)
  const { segment: number } = segment.config
  await recordEntry(session, {
    type: 'adopt',
    segment: number,
    from: segment.head,
    head,
    tree,
    paths,
    timestamp: currentTimestamp(),
  })
}

/**
 * Returns the changed paths, relative to the top of the checkout, that a candidate may not change: outside of
 * the scope, locked, in `.auto`, submodules, or files that control git and that the scope does not name.
 */
export async function findOutOfBounds(
  session: LockedSession,
  segment: ExperimentSegment,
  changes: readonly TreeDifference[],
): Promise<string[]> {
  const repo = session.repo as GitRepository
  const prefix = session.experiment.where.repository?.prefix ?? ''
  const lock = await readLock(session.dir, segment.lock)
  const { scope, locked } = segment.config
  const bounds = { scope, locked: [...locked, ...Object.keys(lock?.files ?? {}).map(escapeGlob)], prefix }
  return findOutOfScope(changes, bounds, async ({ to }) =>
    (await runGit(repo, ['cat-file', 'blob', to?.id ?? ''])).trim(),
  )
}

/** Returns the user's checkout, or undefined outside of git. */
export function workspaceCheckout(session: LockedSession): CandidateCheckout | undefined {
  const { repository } = session.experiment.where
  return repository && { top: repository.top, gitDir: repository.gitDir, where: 'workspace' }
}

/** Returns the ref that a kept candidate moves: the current branch, or HEAD itself if it is detached. */
export async function checkedOutRef(session: LockedSession, checkout: CandidateCheckout): Promise<string> {
  return (await branchOf(session.repo as GitRepository, checkout.top)) ?? 'HEAD'
}
