// The merge queue: picks the result of one task onto the branch, checks the commit, and moves the branch.
//
// The branch moves by one compare-and-swap, after the checks and before the entry `merged`. A process that is
// killed between the two has left the branch at the commit that `merge.started` names.
import { existsSync } from 'node:fs'
import { UserError } from '../../base/errors.ts'
import { makeBuildEntry } from '../../build/entries.ts'
import type { BuildTaskState } from '../../build/state.ts'
import { shortBranch } from '../../build/summary.ts'
import type { ProofReceipt } from '../../proof/prove.ts'
import { resolveCommit, runGit } from '../../research/git/git-tree.ts'
import { requireGit, tryGit } from '../runs/worktree/worktree-git.ts'
import type { BuildLeader } from './build-leader.ts'
import { describeFailure, proveIn, proveTwice } from './build-proof.ts'
import { listChanges } from './build-worktrees.ts'
import { listOutside, messageOf, prepareWorktree, reopenTask } from './task-attempt.ts'

const queueName = 'queue'

/** Longest text of a conflict in the journal. */
const maxConflictChars = 6_000

/** Merges the result of a queued task, or sends the task back. Returns early when the build is stopped. */
export async function mergeTask(leader: BuildLeader, id: string): Promise<void> {
  const { state, worktrees, write } = leader
  const task = leader.taskOf(id)
  const { result } = task
  if (!result) throw new Error(`task ${id} has no result`)
  if (await finishMerge(leader, task)) return
  const path = worktrees.pathOf(queueName)
  const { tip } = state
  if (existsSync(path)) await resetTo(leader, tip)
  else await prepareWorktree(leader, queueName, tip)
  if (leader.cut.aborted) return
  const conflict = await pickCommit(leader, result.commit)
  if (conflict !== undefined) {
    await resetTo(leader, tip)
    return reopenTask(leader, task, { why: 'conflict', detail: conflict, patch: result.patch })
  }
  const tree = (await runGit(worktrees.repo, ['write-tree'], { cwd: path })).trim()
  const files = await listChanges(worktrees.repo, tip, tree)
  const outside = listOutside(leader, task, files)
  if (outside.length > 0) {
    await resetTo(leader, tip)
    return reopenTask(leader, task, { why: 'scope', detail: outside.join('\n'), patch: result.patch })
  }
  const commit = await worktrees.commit(tree, tip, messageOf(leader, task))
  await write(makeBuildEntry('merge.started', { task: id, tip, commit }))
  // only HEAD moves, because the worktree has the files of the commit already
  await requireGit(worktrees.repo, path, ['reset', '--soft', '--quiet', commit])
  const proof = await proveCommit(leader, task, tip)
  if (proof === 'cut') return
  if (proof?.state === 'unproven') {
    await resetTo(leader, tip)
    const [why, detail] = describeFailure(proof)
    return reopenTask(leader, task, { why, detail, patch: result.patch })
  }
  await moveBranch(leader, tip, commit)
  await write(makeBuildEntry('merged', { task: id, tip, commit, files }, `merged:${id}`))
}

/**
 * Writes the entry of a merge whose branch moved before the process was killed. Returns false if the branch
 * has not moved. Throws UserError if it moved elsewhere.
 */
async function finishMerge(leader: BuildLeader, task: BuildTaskState): Promise<boolean> {
  const { state, worktrees, write } = leader
  const now = await resolveCommit(worktrees.repo, state.head.ref)
  if (now === state.tip) return false
  const { pending } = task
  if (!pending || pending.commit !== now) throw movedError(leader, now)
  const files = await listChanges(worktrees.repo, pending.tip, pending.commit)
  await write(makeBuildEntry('merged', { task: task.task.id, ...pending, files }, `merged:${task.task.id}`))
  return true
}

function movedError({ state }: BuildLeader, now: string | undefined): UserError {
  const name = shortBranch(state.head.ref)
  const place = now === undefined ? 'is missing' : `is at ${now.slice(0, 10)}`
  return new UserError(`branch ${name} ${place}, but the build left it at ${state.tip.slice(0, 10)}`, {
    hint: `git branch -f ${name} ${state.tip.slice(0, 10)}, then anode build resume ${state.head.id}`,
    exit: 1,
  })
}

async function moveBranch(leader: BuildLeader, tip: string, commit: string): Promise<void> {
  const { state, worktrees } = leader
  const args = ['update-ref', '-m', 'anode build', state.head.ref, commit, tip]
  const moved = await tryGit(worktrees.repo, state.head.top, args)
  if (moved.exit === 0) return
  throw movedError(leader, await resolveCommit(worktrees.repo, state.head.ref))
}

/** Sets the queue's worktree to a commit. Ignored files stay. */
async function resetTo({ worktrees }: BuildLeader, commit: string): Promise<void> {
  const path = worktrees.pathOf(queueName)
  await requireGit(worktrees.repo, path, ['reset', '--hard', '--quiet', commit])
  await requireGit(worktrees.repo, path, ['clean', '-ffdq'])
}

/** Applies the changes of a commit. Returns the text of the conflict, or undefined. */
async function pickCommit({ worktrees }: BuildLeader, commit: string): Promise<string | undefined> {
  const { repo } = worktrees
  const cwd = worktrees.pathOf(queueName)
  const picked = await tryGit(repo, cwd, ['cherry-pick', '--no-commit', '--no-rerere-autoupdate', commit])
  if (picked.exit === 0) return undefined
  const unmerged = await runGit(repo, ['diff', '--name-only', '--diff-filter=U', '-z'], { cwd })
  const names = [...new Set(unmerged.split('\0').filter((name) => name !== ''))]
  if (names.length === 0) return picked.stderr.text.trim().slice(0, maxConflictChars)
  const hunks = await runGit(repo, ['diff', '--no-color', '--diff-filter=U'], { cwd })
  return `${names.join('\n')}\n\n${hunks}`.slice(0, maxConflictChars)
}

/** Checks the commit in the queue's worktree. A check that fails runs once more on the same tree. */
async function proveCommit(
  leader: BuildLeader,
  task: BuildTaskState,
  tip: string,
): Promise<ProofReceipt | 'cut' | undefined> {
  const { state } = leader
  const commands = [...new Set([...task.task.until, ...state.plan.until])]
  if (commands.length === 0) return undefined
  const commit = task.pending?.commit
  const restore = async () => {
    if (commit !== undefined) await resetTo(leader, commit)
    return true
  }
  const proved = await proveTwice(leader, queueName, { commands, base: tip, allow: task.task.allow, restore })
  if (!proved) return 'cut'
  const data = { task: task.task.id, attempt: task.attempt, where: 'queue', commit, ...proved } as const
  await leader.write(makeBuildEntry('proof', data))
  return proved.receipt
}

/** Checks the branch in a fresh checkout. Undefined: the check was cut off, or the build has no check. */
export async function proveTip(leader: BuildLeader): Promise<ProofReceipt | undefined> {
  const { state, worktrees } = leader
  const own = [...state.tasks.values()].flatMap(({ task }) => task.until)
  const commands = state.plan.until.length > 0 ? state.plan.until : [...new Set(own)]
  if (commands.length === 0) return undefined
  await prepareWorktree(leader, 'closing', state.tip, true)
  const receipt = await proveIn(leader, 'closing', { commands, base: state.tip, allow: [] })
  if (leader.cut.aborted) return undefined
  await leader.write(makeBuildEntry('proof', { where: 'closing', commit: state.tip, receipt }))
  await worktrees.remove('closing')
  return receipt
}
