// Candidate for a commit on the build's branch: the changes of a task, applied to the latest commit, with the
// checks of their paths and their tests.
import type { ReopenReason } from '../../build/entries.ts'
import type { BuildTaskState } from '../../build/state.ts'
import { type GitRepository, runGit } from '../../research/git/git-tree.ts'
import { requireGit } from '../runs/worktree/worktree-git.ts'
import type { BuildLeader } from './build-leader.ts'
import { describeFailure, proveTwice, type RepeatedProof } from './build-proof.ts'
import { listOutside } from './task-attempt.ts'

/** A new commit and the paths that it changes. */
interface MadeCommit {
  commit: string
  files: readonly string[]
}

/** Result of the attempt to apply the changes of a task to a commit and to check them. */
export interface MergeCandidate {
  /** The new commit; undefined after a conflict, or after a change of paths that the task may not change. */
  made: MadeCommit | undefined
  proved: RepeatedProof | undefined
  /** Why the commit cannot be merged; undefined if it can. */
  refusal: { why: ReopenReason | 'tampered'; detail: string } | undefined
}

interface CandidateOrder {
  task: BuildTaskState
  /** Name of the worktree in which the commit is created and checked. */
  lane: string
  /** Latest commit of the branch, to which the changes are applied. */
  tip: string
  /** Creates the worktree, or replaces its files by those of a commit. */
  prepare(lane: string, commit: string): Promise<void>
  /** Called with the new commit before its check. */
  onCommit?(commit: string): Promise<void>
}

/**
 * Creates and checks a commit. Writes nothing to the journal. Resolves to undefined if the
 * work was interrupted.
 */
export const makeCandidate = (
  leader: BuildLeader,
  order: CandidateOrder,
): Promise<MergeCandidate | undefined> => leader.checks.run(() => checkCandidate(leader, order))

async function checkCandidate(
  leader: BuildLeader,
  order: CandidateOrder,
): Promise<MergeCandidate | undefined> {
  const { cut: cutSignal } = leader
  const { task, lane, tip, onCommit } = order
  const { result } = task
  if (!result) throw new Error(`task ${task.task.id} has no result`)
  // if the task started from the latest commit, its own commit can be used
  const isDirect = result.base === tip
  await order.prepare(lane, isDirect ? result.commit : tip)
  if (cutSignal.aborted) return undefined
  const newCommit = isDirect ? result : await pickResult(leader, lane, result.commit)
  if (typeof newCommit === 'string') return createRefusal('conflict', newCommit)
  const outside = listOutside(leader, task, newCommit.files)
  if (outside.length > 0) return createRefusal('scope', outside.join('\n'))
  const { commit } = newCommit
  await onCommit?.(commit)
  const commands = [...new Set([...task.task.until, ...leader.state.plan.until])]
  if (commands.length === 0) return { made: newCommit, proved: undefined, refusal: undefined }
  const restore = async () => {
    await resetTo(leader, lane, commit)
    return true
  }
  const proved = await proveTwice(leader, lane, { commands, base: tip, allow: task.task.allow, restore })
  if (!proved) return undefined
  const isProven = proved.receipt.state === 'proven'
  const [why, detail] = isProven ? [] : describeFailure(proved.receipt)
  return { made: newCommit, proved, refusal: why && { why, detail: detail ?? '' } }
}

const createRefusal = (why: ReopenReason, detail: string): MergeCandidate => ({
  made: undefined,
  proved: undefined,
  refusal: { why, detail },
})

/** Sets a worktree of the queue to a commit. Ignored files stay. */
export async function resetTo({ worktrees }: BuildLeader, lane: string, commit: string): Promise<void> {
  const path = worktrees.pathOf(lane)
  await requireGit(worktrees.repo, path, ['reset', '--hard', '--quiet', commit])
  await requireGit(worktrees.repo, path, ['clean', '-ffdq'])
}

/**
 * Applies the commit of a task to the latest commit of the branch. Resolves to a new commit, or to a text
 * about the conflict.
 */
async function pickResult(
  { worktrees }: BuildLeader,
  lane: string,
  commit: string,
): Promise<MadeCommit | string> {
  const { repo, pathOf } = worktrees
  const cwd = pathOf(lane)
  const picked = await worktrees.pick(lane, commit)
  if (picked.exit !== 0) return describeConflict(repo, cwd, picked.stderr.text.trim())
  const options = ['-r', '-z', '--name-only', '--no-renames', '--always']
  const [commitHash = '', ...files] = (await runGit(repo, ['diff-tree', ...options, 'HEAD'], { cwd })).split(
    '\0',
  )
  return { commit: commitHash, files: files.filter((path) => path !== '') }
}

/** Longest text of a conflict in the journal, in characters. */
const maxConflictChars = 6_000

/**
 * Returns at most 6,000 characters: the files in conflict with their conflict marks, or git's message if no
 * file is in conflict.
 */
async function describeConflict(repo: GitRepository, cwd: string, message: string): Promise<string> {
  const unmerged = await runGit(repo, ['diff', '--name-only', '--diff-filter=U', '-z'], { cwd })
  const names = [...new Set(unmerged.split('\0').filter((name) => name !== ''))]
  if (names.length === 0) return message.slice(0, maxConflictChars)
  const hunks = await runGit(repo, ['diff', '--no-color', '--diff-filter=U'], { cwd })
  return `${names.join('\n')}\n\n${hunks}`.slice(0, maxConflictChars)
}
