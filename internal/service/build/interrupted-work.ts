// The work of a task that a limit or a cancellation has interrupted: stored as a patch, restored by `resume`.
import { rm, writeFile } from 'node:fs/promises'
import type { BuildTaskState } from '../../build/state.ts'
import { requireGit } from '../runs/worktree/worktree-git.ts'
import type { BuildLeader } from './build-leader.ts'

interface InterruptedWork {
  /** Commit to which the patch applies. */
  base: string
  /** Blobs of the patch. */
  patch: readonly string[]
}

/**
 * Stores the changes of a task as a patch. Returns undefined if the task has neither paid responses nor
 * steps, if its interrupted work is stored already, or if its worktree is gone.
 */
export async function storeWork(
  { worktrees, store, state }: BuildLeader,
  name: string,
  task: BuildTaskState,
): Promise<InterruptedWork | undefined> {
  const hasWorked = task.steps > 0 || task.agent.paid.length > 0
  if (!hasWorked || task.agent.interrupted || !worktrees.has(name)) return undefined
  const base = task.tip ?? state.tip
  const tree = await worktrees.survey(name)
  return { base, patch: await store(await worktrees.patch(base, tree)) }
}

/**
 * Changes the files of a new worktree at `base` to those that the interrupted work has left. Does nothing for
 * an empty patch, or if work was cut off.
 */
export async function restoreWork(
  leader: BuildLeader,
  path: string,
  { patch }: InterruptedWork,
): Promise<void> {
  const bytes = await leader.read(patch)
  if (bytes.byteLength === 0 || leader.cut.aborted) return
  // a killed process leaves no file behind, because a file of this name is removed together with the worktree
  const file = `${path}.patch`
  await writeFile(file, bytes)
  await requireGit(leader.worktrees.repo, path, ['apply', '--whitespace=nowarn', file])
  await rm(file, { force: true })
}
