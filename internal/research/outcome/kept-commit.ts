// Commit of a kept candidate: its changed paths on its branch. The commit is made completely or not at all.
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, FailureError } from '../../base/errors.ts'
import { gitText } from '../../process/git/git.ts'
import {
  compareTrees,
  copyIndex,
  type GitRepository,
  graftTree,
  indexInfo,
  resolveCommit,
  runGit,
  setFileTime,
  type TreeDifference,
} from '../git/git-tree.ts'
import type { MeasuredRun, PendingCommit, RunLine } from '../ledger/experiment-run.ts'
import { checkedOutRef } from '../workspace/candidate-snapshot.ts'
import { sessionBranch } from '../workspace/candidate-worktree.ts'
import { type LockedSession, updatePendingRun } from '../workspace/experiment-workspace.ts'
import type { CandidateCheckout } from '../workspace/session-location.ts'

/** Returns the message of the commit: the subject, then the measurement in one machine-readable line. */
function messageOf(line: RunLine, subject: string | undefined): string {
  const { run, metric, metrics, effect, evidence, reason, segment } = line
  const result = { run, segment, metric, metrics, evidence, reason, effect }
  const first = (subject ?? line.description ?? '').trim().split('\n')[0]
  return `${first || `Keep experiment ${run}`}\n\nResult: ${JSON.stringify(result)}\n`
}

/**
 * Creates the commit and moves branch and index. Returns the id of the commit, or null if there is nothing to
 * commit or the checkout has no commit yet. Throws FailureError with git's message if git refuses (no
 * identity, index locked, branch moved); then nothing has changed.
 */
export async function commitKept(
  session: LockedSession,
  pending: MeasuredRun,
  checkout: CandidateCheckout,
  changes: readonly TreeDifference[],
  line: RunLine,
  subject: string | undefined,
): Promise<string | null> {
  const repo = session.repo as GitRepository
  const head = await resolveCommit(repo, 'HEAD', checkout.top)
  if (head === undefined || changes.length === 0) return null
  const tree = await graftTree(repo, head, changes)
  const committed = await compareTrees(repo, head, tree)
  if (committed.length === 0) return null
  // commit-tree reads the message from standard input
  const commit = (
    await gitText(repo.run, checkout.top, ['commit-tree', tree, '-p', head], {
      input: messageOf(line, subject),
    })
  ).trim()
  const ref = checkout.where === 'worktree' ? sessionBranch(session) : await checkedOutRef(session, checkout)
  const keep: PendingCommit = { commit, from: head, ref, gitDir: checkout.gitDir, line: { ...line, commit } }
  if (checkout.where === 'workspace') {
    await nextIndex(session, checkout, committed)
    await refuseLocked(checkout)
  }
  await updatePendingRun(session, { ...pending, state: 'committing', keep })
  try {
    await publishCommit(session, checkout, keep)
  } catch (error) {
    await updatePendingRun(session, pending)
    throw error
  }
  return commit
}

const nextIndexOf = (dir: string) => join(dir, 'index.next')
const lockOf = (checkout: { gitDir: string }) => join(checkout.gitDir, 'index.lock')

/**
 * Writes the index that the checkout has after the commit to the session's directory. It is the current
 * index with the committed paths updated. A path whose staged content is neither the old nor the new
 * one stays staged.
 */
async function nextIndex(
  session: LockedSession,
  checkout: CandidateCheckout,
  committed: readonly TreeDifference[],
): Promise<void> {
  const repo = session.repo as GitRepository
  const index = nextIndexOf(session.dir)
  const at = { index, cwd: checkout.top }
  await copyIndex(checkout, index)
  const staged = new Map<string, string>()
  for (const row of (await runGit(repo, ['ls-files', '-s', '-z'], at)).split('\0')) {
    const match = /^(\d+) (\w+) 0\t(.*)$/s.exec(row)
    if (match) staged.set(match[3] as string, `${match[1]} ${match[2]}`)
  }
  const due = committed.filter(({ path, from }) => staged.get(path) === (from && `${from.mode} ${from.id}`))
  const input = indexInfo(due)
  if (input !== '') await runGit(repo, ['update-index', '-z', '--replace', '--index-info'], { ...at, input })
}

async function refuseLocked(checkout: CandidateCheckout): Promise<void> {
  const lock = lockOf(checkout)
  const there = await readFile(lock).catch(() => undefined)
  if (there === undefined) return
  throw new FailureError({
    code: 'command_failed',
    message: `git: Unable to create '${lock}': File exists.`,
    hint: 'Another git process works in this repository. When it has ended, log the run again.',
  })
}

/**
 * Creates the index lock, moves the branch and replaces the index. In this order, which is git's own, a later
 * process can recover after a crash at any step. In a worktree, moves the session's branch and HEAD.
 */
async function publishCommit(
  session: LockedSession,
  checkout: CandidateCheckout,
  keep: PendingCommit,
): Promise<void> {
  const repo = session.repo as GitRepository
  if (checkout.where === 'worktree') return advanceWorktree(repo, checkout, keep)
  const next = await readFile(nextIndexOf(session.dir))
  const { mtimeMs } = await stat(nextIndexOf(session.dir))
  const lock = lockOf(checkout)
  const handle = await open(lock, 'wx').catch((error: unknown) => {
    throw codeOf(error) === 'EEXIST'
      ? new FailureError({ code: 'command_failed', message: `git: Unable to create '${lock}': File exists.` })
      : error
  })
  try {
    try {
      await handle.writeFile(next)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await setFileTime(lock, mtimeMs)
    await moveRef(repo, checkout, keep)
  } catch (error) {
    await rm(lock, { force: true })
    throw error
  }
  await rename(lock, join(checkout.gitDir, 'index'))
  await rm(nextIndexOf(session.dir), { force: true })
}

async function moveRef(
  repo: GitRepository,
  checkout: CandidateCheckout,
  { ref, commit, from, line }: PendingCommit,
): Promise<void> {
  const reason = `anode: keep run ${line.run}`
  const args = ['update-ref', '-m', reason, ...(ref === 'HEAD' ? ['--no-deref'] : []), ref, commit, from]
  await runGit(repo, args, { cwd: checkout.top })
}

/**
 * Moves the session's branch and the HEAD of a candidate's checkout to the commit. HEAD is detached, because
 * git does not allow one branch in several checkouts.
 */
async function advanceWorktree(
  repo: GitRepository,
  { top: cwd }: CandidateCheckout,
  { ref, commit, from }: PendingCommit,
): Promise<void> {
  const input = `update ${ref} ${commit} ${from}\nupdate HEAD ${commit}\n`
  await runGit(repo, ['update-ref', '--no-deref', '--stdin'], { cwd, input })
  await runGit(repo, ['read-tree', commit], { cwd })
}

/**
 * Completes or discards a commit after a crash. Returns `committed` if the commit is on its
 * branch, else `undone`.
 */
export async function recoverCommit(
  session: LockedSession,
  checkout: CandidateCheckout,
  keep: PendingCommit,
): Promise<'committed' | 'undone'> {
  const repo = session.repo as GitRepository
  const moved = await hasCommit(repo, keep.ref, keep.commit, checkout)
  if (checkout.where === 'worktree') {
    if (moved) await runGit(repo, ['read-tree', 'HEAD'], { cwd: checkout.top })
    return moved ? 'committed' : 'undone'
  }
  const lock = lockOf(checkout)
  const next = await readFile(nextIndexOf(session.dir)).catch(() => undefined)
  const locked = await readFile(lock).catch(() => undefined)
  // A lock file that begins with the prepared content was written by Anode, because no other program
  // writes these bytes.
  const ours = next !== undefined && locked !== undefined && next.subarray(0, locked.length).equals(locked)
  if (ours && moved && locked.length === next.length) await rename(lock, join(checkout.gitDir, 'index'))
  else if (ours) await rm(lock, { force: true })
  await rm(nextIndexOf(session.dir), { force: true })
  return moved ? 'committed' : 'undone'
}

/** Returns whether the ref contains the commit, also below later commits. */
async function hasCommit(
  repo: GitRepository,
  ref: string,
  commit: string,
  checkout: CandidateCheckout,
): Promise<boolean> {
  const tip = await resolveCommit(repo, ref, checkout.top)
  if (tip === undefined) return false
  if (tip === commit) return true
  const between = await runGit(repo, ['rev-list', '--max-count=1', `${tip}..${commit}`], {
    cwd: checkout.top,
  })
  return between.trim() === ''
}
