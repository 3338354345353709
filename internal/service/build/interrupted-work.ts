// Work of a task that a limit or a cancellation has interrupted. It is stored as a patch, and a resumed build
// continues with it.
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
 * Stores the changes of a task as a patch. Returns undefined if the task has not worked yet, if its work is
 * stored already, or if its worktree does not exist.
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
 * Applies the interrupted work to a new worktree at its commit `base`. Does nothing for an empty patch, or if
 * the build has to stop.
 */
export async function restoreWork(
  leader: BuildLeader,
  path: string,
  { patch }: InterruptedWork,
): Promise<void> {
  const bytes = await leader.read(patch)
  if (bytes.byteLength === 0 || leader.cut.aborted) return
  // a file of this name is removed together with the worktree, even after a kill
  const file = `${path}.patch`
  await writeFile(file, bytes)
  await requireGit(leader.worktrees.repo, path, ['apply', '--whitespace=nowarn', file])
  await rm(file, { force: true })
}
