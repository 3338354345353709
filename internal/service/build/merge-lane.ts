// Moves of the build's branch to checked commits, and the check of the branch at the end. The branch moves
// only if it still has the expected commit, after the checks and before the entry `merged` in the journal. If
// the process is killed between the two, the branch has the commit that the entry `merge.started` names.
import { UserError } from '../../base/errors.ts'
import { makeBuildEntry } from '../../build/entries.ts'
import type { BuildTaskState } from '../../build/state.ts'
import { shortBranch } from '../../build/summary.ts'
import type { ProofReceipt } from '../../proof/prove.ts'
import { resolveCommit } from '../../research/git/git-tree.ts'
import { tryGit } from '../runs/worktree/worktree-git.ts'
import type { BuildLeader } from './build-leader.ts'
import { proveIn } from './build-proof.ts'
import { listChanges } from './build-worktrees.ts'
import type { MergeCandidate } from './merge-candidate.ts'
import { prepareWorktree, reopenTask } from './task-attempt.ts'

/**
 * Moves the branch to the new commit, and records the merge. If the commit was refused, the task gets another
 * attempt or ends; see `reopenTask`. Throws UserError if another program has moved the branch.
 */
export async function settleMerge(
  leader: BuildLeader,
  task: BuildTaskState,
  tip: string,
  { made: newCommit, proved, refusal }: MergeCandidate,
): Promise<void> {
  const { id } = task.task
  const { write } = leader
  if (newCommit && proved) {
    const data = {
      task: id,
      attempt: task.attempt,
      where: 'queue',
      commit: newCommit.commit,
      ...proved,
    } as const
    await write(makeBuildEntry('proof', data))
  }
  if (refusal) return reopenTask(leader, task, { ...refusal, patch: task.result?.patch })
  if (!newCommit) throw new Error(`task ${id} has no commit`)
  await moveBranch(leader, tip, newCommit.commit)
  await write(makeBuildEntry('merged', { task: id, tip, ...newCommit }, `merged:${id}`))
}

/**
 * Writes the missing entry of a merge whose branch moved before the process was killed. Returns false if no
 * merge was interrupted, or if the branch has not moved. Throws UserError if it moved to another commit.
 */
export async function finishMerge(leader: BuildLeader, task: BuildTaskState): Promise<boolean> {
  const { state, worktrees, write } = leader
  const { pending } = task
  if (!pending) return false
  const now = await resolveCommit(worktrees.repo, state.head.ref)
  if (now === state.tip) return false
  if (pending.commit !== now) throw movedError(leader, now)
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

/**
 * Checks the branch in a new worktree, records the result in the journal, and removes all worktrees.
 * `prepared`: commit for which that worktree exists already. Resolves to undefined if the check was
 * interrupted, and for a build without checks.
 */
export async function proveTip(
  leader: BuildLeader,
  prepared: string | undefined,
): Promise<ProofReceipt | undefined> {
  const { state, worktrees } = leader
  const taskCommands = [...state.tasks.values()].flatMap(({ task }) => task.until)
  const commands = state.plan.until.length > 0 ? state.plan.until : [...new Set(taskCommands)]
  if (commands.length === 0) return undefined
  if (prepared !== state.tip) await prepareWorktree(leader, 'closing', state.tip, true)
  // no task needs its worktree any more. An error is ignored, because the end of the build removes again
  const others = worktrees.removeAll('closing').catch(() => undefined)
  const receipt = await proveIn(leader, 'closing', { commands, base: state.tip, allow: [] })
  await others
  if (leader.cut.aborted) return undefined
  await leader.write(makeBuildEntry('proof', { where: 'closing', commit: state.tip, receipt }))
  await worktrees.remove('closing')
  return receipt
}
