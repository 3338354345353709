// Merge of the work of a run: it is rebased on its target branch and checked, and then the branch
// moves to it.
import { join } from 'node:path'
import { FailureError, UserError } from '../../../base/errors.ts'
import { withLocks } from '../../../base/files/path-locks.ts'
import { gitFailure } from '../../../process/git/git.ts'
import { findGitLayout } from '../../../process/git/git-layout.ts'
import { type GitRepository, resolveCommit, runGit } from '../../../research/git/git-tree.ts'
import { requireEndedRun } from './drop-worktree.ts'
import { hasConflictMarks, isRebasing } from './worktree-conflict.ts'
import {
  committerEnvironment,
  gitRepositoryOf,
  requireGit,
  tryGit,
  type WorktreeTools,
} from './worktree-git.ts'
import { branchName, type WorktreeRecord, worktreeFolder, writeWorktreeRecord } from './worktree-record.ts'

interface MergeRequest {
  record: WorktreeRecord
  /** Title of the commit for changes that the run has not committed. */
  title: string
  /** Bash command that must exit with code 0 in the worktree; `output` gets its output. */
  checks?: string
  output(text: string): void
}

export type WorktreeMerge =
  | { kind: 'merged'; commit: string; commits: number }
  /** The run has no work to merge. */
  | { kind: 'empty' }
  /** Files with conflicts in the worktree. */
  | { kind: 'conflicts'; files: string[] }
  | { kind: 'failed'; exit: number | null }

/**
 * Merges the worktree; `failed` means that the checks failed, with their exit code. Can be repeated after a
 * crash at any point. Throws UserError while the run is active, and if the worktree or target branch is
 * missing or the branch cannot be moved. Throws FailureError for another failure of git.
 */
export function mergeRunWorktree(tools: WorktreeTools, request: MergeRequest): Promise<WorktreeMerge> {
  return withLocks(worktreeFolder(tools.data), [request.record.thread], async () => {
    const outcome = await mergeBranch(tools, request)
    if (outcome.kind === 'conflicts')
      await writeWorktreeRecord(tools.data, { ...request.record, conflicts: outcome.files })
    return outcome
  })
}

async function mergeBranch(tools: WorktreeTools, request: MergeRequest): Promise<WorktreeMerge> {
  const { record } = request
  await requireEndedRun(tools, record)
  const repo = gitRepositoryOf(tools, record.top, record.origin)
  const { into } = record
  const target = into === null ? undefined : await resolveCommit(repo, into)
  if (into === null || target === undefined) {
    const what =
      into === null ? 'no branch was checked out when the run began' : `${branchName(into)} is gone`
    const hint = `merge ${branchName(record.branch)} yourself`
    throw new UserError(`no branch to merge into: ${what}`, { hint, exit: 1 })
  }
  if (findGitLayout(record.path)?.top !== record.path)
    throw new UserError(`the worktree ${record.path} is gone`, {
      hint: '`anode runs drop` forgets it',
      exit: 1,
    })
  const stopped = await finishRebase(repo, record)
  if (stopped.length > 0) return { kind: 'conflicts', files: stopped }
  await commitWork(repo, record, request.title)
  const conflicts = await rebaseWork(repo, record.path, target)
  if (conflicts.length > 0) return { kind: 'conflicts', files: conflicts }
  const tip = (await resolveCommit(repo, 'HEAD', record.path)) as string
  if (tip === target) return { kind: 'empty' }
  const checked = await runChecks(tools, request)
  if (checked !== 0) return { kind: 'failed', exit: checked }
  await moveBranch(repo, record, { into, from: target, to: tip })
  const commits = Number(await runGit(repo, ['rev-list', '--count', `${target}..${tip}`]))
  await writeWorktreeRecord(tools.data, { ...record, state: 'merged', merged: tip })
  return { kind: 'merged', commit: tip, commits }
}

/**
 * Continues a rebase that a conflict has stopped. Returns the files that still have conflicts; an empty list
 * after the end of the rebase, or without a rebase.
 */
async function finishRebase(repo: GitRepository, { path }: WorktreeRecord): Promise<string[]> {
  const author = isRebasing(path) ? await committerEnvironment(repo, path) : {}
  while (isRebasing(path)) {
    const conflicts = await conflictedFiles(repo, path)
    if (conflicts.length > 0) return conflicts
    await requireGit(repo, path, ['add', '--all', '--', '.'])
    const outcome = await tryGit(repo, path, ['rebase', '--continue'], author)
    if (outcome.exit === 0) break
    const next = await conflictedFiles(repo, path)
    if (next.length > 0) return next
    // if the solution of a conflict leaves no changes in a commit, the commit is skipped
    if (isRebasing(path) && (await isClean(repo, path)))
      await requireGit(repo, path, ['rebase', '--skip'], author)
    else throw gitFailure('rebase', outcome)
  }
  return []
}

const isClean = async (repo: GitRepository, path: string) =>
  (await runGit(repo, ['status', '--porcelain'], { cwd: path })).trim() === ''

/** Returns the files with an unsolved conflict that still contain conflict markers of git. */
async function conflictedFiles(repo: GitRepository, path: string): Promise<string[]> {
  const unmerged = await runGit(repo, ['diff', '--name-only', '--diff-filter=U', '-z', '--no-renames'], {
    cwd: path,
  })
  const names = unmerged.split('\0').filter((name) => name !== '')
  return names.filter((name) => hasConflictMarks(join(path, name)))
}

async function commitWork(
  repo: GitRepository,
  { path, thread }: WorktreeRecord,
  title: string,
): Promise<void> {
  await requireGit(repo, path, ['add', '--all', '--', '.'])
  if (await isClean(repo, path)) return
  const message = `${title.split('\n', 1)[0]?.trim() || 'Work of a run'}\n\nRun ${thread}\n`
  const args = ['commit', '--quiet', '--no-verify', '--cleanup=verbatim', '-m', message]
  await requireGit(repo, path, args, await committerEnvironment(repo, path))
}

/**
 * Rebases the work. Returns the files with conflicts, or an empty list on success. Aborts the rebase and
 * throws FailureError if it fails for another reason.
 */
async function rebaseWork(repo: GitRepository, path: string, target: string): Promise<string[]> {
  const args = ['rebase', '--quiet', '--no-verify', '--no-autostash', '--no-autosquash', target]
  const outcome = await tryGit(repo, path, args, await committerEnvironment(repo, path))
  if (outcome.exit === 0) return []
  const files = await conflictedFiles(repo, path)
  if (files.length > 0) return files
  if (isRebasing(path)) await tryGit(repo, path, ['rebase', '--abort'])
  throw gitFailure('rebase', outcome)
}

/**
 * Runs the checks and returns their exit code: 0 without checks, null if a signal, a cancellation or the
 * limit of one hour ended them.
 */
async function runChecks(
  { run, signal }: WorktreeTools,
  { record, checks, output }: MergeRequest,
): Promise<number | null> {
  if (checks === undefined) return 0
  const decoder = new TextDecoder()
  const { exit } = await run({
    file: 'bash',
    args: ['-c', checks],
    cwd: record.cwd,
    signal,
    timeoutMs: 3_600_000,
    onOutput: (chunk) => output(decoder.decode(chunk, { stream: true })),
  })
  return exit
}

/**
 * Moves the target branch `into` from the commit `from` to `to`. If a checkout has the branch, its files
 * follow. Throws UserError if the branch has moved meanwhile or cannot be moved.
 */
async function moveBranch(
  repo: GitRepository,
  { path }: WorktreeRecord,
  { into, from, to }: { into: string; from: string; to: string },
): Promise<void> {
  const name = branchName(into)
  const moved = `${name} has moved while the work was checked`
  if ((await resolveCommit(repo, into)) !== from)
    throw new UserError(moved, { hint: 'merge once more', exit: 1 })
  const place = (await runGit(repo, ['for-each-ref', '--format=%(worktreepath)', into])).trim()
  if (place === '' || place === path) {
    await runGit(repo, ['update-ref', into, to, from])
    return
  }
  const outcome = await tryGit(repo, place, ['merge', '--quiet', '--ff-only', '--no-autostash', to])
  if (outcome.exit === 0) return
  const failure = gitFailure('merge', outcome)
  if (!(failure instanceof FailureError)) throw failure
  throw new UserError(`${name} could not be moved in ${place}: ${failure.failure.message}`, {
    hint: 'commit or stash the conflicting changes there, then merge again',
    exit: 1,
  })
}
