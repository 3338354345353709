// Creation of the worktree and branch of a run, and removal of worktrees that a crash has left.
import { realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { UserError } from '../../../base/errors.ts'
import { makeDirectory } from '../../../base/files/make-directory.ts'
import { isAlive, processIdentity } from '../../../base/process-identity.ts'
import { countNoun } from '../../../base/text/count-noun.ts'
import type { Mode } from '../../../policy/level.ts'
import { findGitLayout } from '../../../process/git/git-layout.ts'
import { branchOf } from '../../../research/git/git-state.ts'
import { type GitRepository, resolveCommit, runGit } from '../../../research/git/git-tree.ts'
import { openWorkspaceTrust } from '../../../runtime/workspace/workspace-trust.ts'
import { readRunRecord } from '../run-record.ts'
import { removeWorktree } from './drop-worktree.ts'
import { gitRepositoryOf, requireGit, type WorktreeTools } from './worktree-git.ts'
import {
  readWorktreeRecords,
  type WorktreeRecord,
  worktreeFolder,
  writeWorktreeRecord,
} from './worktree-record.ts'

interface MadeWorktree {
  record: WorktreeRecord
  /**
   * Notices for the user: uncommitted changes that the worktree does not contain, and trust that does not
   * cover the worktree.
   */
  notes: string[]
}

/** Creates the worktree. Throws UserError outside of a repository and in a repository without a commit. */
export async function createRunWorktree(
  tools: WorktreeTools,
  request: { thread: string; workspace: string; mode: Mode },
): Promise<MadeWorktree> {
  const { data } = tools
  const { thread, mode } = request
  const origin = await realpath(request.workspace)
  const layout = findGitLayout(origin)
  if (!layout) {
    throw new UserError(`${origin} is in no git repository`, {
      hint: 'git init and a first commit make it one; without --worktree a run needs none',
    })
  }
  const top = await realpath(layout.top)
  const repo = gitRepositoryOf(tools, top, origin)
  const base = await resolveCommit(repo, 'HEAD')
  if (base === undefined)
    throw new UserError('the repository has no commit yet', {
      hint: 'make a first commit, then start the run',
    })
  await clearAbandonedWorktrees(tools)
  const name = thread.slice('sess_'.length)
  const folder = worktreeFolder(data)
  makeDirectory(folder, 0o700)
  const path = join(await realpath(folder), name)
  const record: WorktreeRecord = {
    thread,
    origin,
    top,
    path,
    mode,
    base,
    cwd: join(path, relative(top, origin)),
    branch: `refs/heads/anode/${name}`,
    into: (await branchOf(repo)) ?? null,
    created: Date.now(),
    state: 'making',
    maker: processIdentity(),
  }
  // the record comes first, so that the worktree can be removed after a crash
  await writeWorktreeRecord(data, record)
  await requireGit(repo, top, ['worktree', 'add', '--quiet', '-b', `anode/${name}`, path, base])
  // git does not store empty directories, so the directory of the workspace may be missing
  makeDirectory(record.cwd)
  return { record, notes: [...(await tellLeftChanges(repo, base)), ...(await carryTrust(tools, record))] }
}

/** Records that the run has begun. After this, the worktree is not removed as a rest of a crash. */
export async function keepRunWorktree({ data }: WorktreeTools, record: WorktreeRecord): Promise<void> {
  const { maker: _, ...rest } = record
  await writeWorktreeRecord(data, { ...rest, state: 'open' })
}

async function tellLeftChanges(repo: GitRepository, base: string): Promise<string[]> {
  const changed = await runGit(repo, ['status', '--porcelain', '-z', '--no-renames'])
  const count = changed.split('\0').filter((row) => row !== '').length
  if (count === 0) return []
  return [
    `the run begins with commit ${base.slice(0, 10)}: ` +
      `changes in ${countNoun(count, 'file')} that are not committed stay here`,
  ]
}

/**
 * Trusts the worktree if the workspace is trusted and both have the same files that need trust. Returns a
 * notice in a list if the workspace is trusted and these files differ, otherwise an empty list.
 */
export async function carryTrust(
  { env }: Pick<WorktreeTools, 'env'>,
  { origin, cwd }: Pick<WorktreeRecord, 'origin' | 'cwd'>,
): Promise<string[]> {
  const here = openWorkspaceTrust(origin, env).read()
  if (here.state !== 'trusted') return []
  const there = openWorkspaceTrust(cwd, env)
  if (there.read().state === 'trusted') return []
  if (there.read().digest !== here.digest)
    return ['what this workspace brings differs from its last commit: in the worktree it is not trusted']
  await there.grant(here.digest)
  return []
}

/** Removes worktrees whose creating process was killed before the run began. */
async function clearAbandonedWorktrees(tools: WorktreeTools): Promise<void> {
  for (const record of readWorktreeRecords(tools.data)) {
    const isLeft = record.state === 'making' && !isAlive(record.maker ?? '', Date.now() - record.created)
    if (isLeft && !readRunRecord(tools.data, record.thread)) await removeWorktree(tools, record)
  }
}
