// Removal of the worktree and branch of a run. After a crash, it can be repeated.

import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { UserError } from '../../../base/errors.ts'
import { countNoun } from '../../../base/text/count-noun.ts'
import { openWorkspaceTrust } from '../../../runtime/workspace/workspace-trust.ts'
import { isRunAlive, readRunRecord } from '../run-record.ts'
import { readWorktreeState } from './worktree-diff.ts'
import {
  committerEnvironment,
  gitRepositoryOf,
  requireGit,
  tryGit,
  type WorktreeTools,
} from './worktree-git.ts'
import {
  branchName,
  removeWorktreeRecord,
  type WorktreeRecord,
  writeWorktreeRecord,
} from './worktree-record.ts'

/**
 * Removes the worktree. `lost` is a commit that contains the work that was not merged, so that the user can
 * restore this work. `lost` is undefined without such work, or if the worktree or its repository is missing.
 * Throws UserError while the run is active, and without `force` if work would be lost.
 */
export async function dropRunWorktree(
  tools: WorktreeTools,
  record: WorktreeRecord,
  force: boolean,
): Promise<{ lost: string | undefined }> {
  await requireEndedRun(tools, record)
  const lost =
    existsSync(record.top) && existsSync(record.path) ? await findLostWork(tools, record) : undefined
  if (lost && !force) {
    throw new UserError(
      `${countNoun(lost.files, 'changed file of this run is', 'changed files of this run are')} not merged`,
      {
        hint: '`anode runs merge` takes them over; --force drops them',
        exit: 1,
      },
    )
  }
  await removeWorktree(tools, record)
  return { lost: lost?.commit }
}

/** Throws UserError while the run has a process. */
export async function requireEndedRun({ data }: WorktreeTools, { thread }: WorktreeRecord): Promise<void> {
  const run = readRunRecord(data, thread)
  if (!run || !isRunAlive(run)) return
  throw new UserError('the run is active, or a client is attached', {
    hint: 'wait for its end, or `anode runs cancel` it',
    exit: 1,
  })
}

/**
 * Returns a commit with all unmerged work and its number of files; undefined without such work. The user can
 * restore the work from the commit until git removes it.
 */
async function findLostWork(tools: WorktreeTools, record: WorktreeRecord) {
  const repo = gitRepositoryOf(tools, record.top, record.origin)
  const { tree, from, files } = await readWorktreeState(repo, record)
  if (files.length === 0) return undefined
  const args = ['commit-tree', tree, '-p', from, '-m', `Dropped work of run ${record.thread}`]
  const commit = await requireGit(repo, record.top, args, await committerEnvironment(repo, record.top))
  return { commit: commit.trim(), files: files.length }
}

export async function removeWorktree(tools: WorktreeTools, record: WorktreeRecord): Promise<void> {
  const { data, env } = tools
  await writeWorktreeRecord(data, { ...record, state: 'dropping' })
  if (existsSync(record.cwd)) openWorkspaceTrust(record.cwd, env).revoke()
  if (existsSync(record.top)) {
    const repo = gitRepositoryOf(tools, record.top, record.origin)
    // a failure is ignored and the directory deleted, because git does not accept an incomplete worktree
    await tryGit(repo, record.top, ['worktree', 'remove', '--force', record.path])
    await rm(record.path, { recursive: true, force: true })
    await requireGit(repo, record.top, ['worktree', 'prune'])
    await tryGit(repo, record.top, ['branch', '-D', branchName(record.branch)])
  }
  await rm(record.path, { recursive: true, force: true })
  await removeWorktreeRecord(data, record.thread)
}
