// Runs in worktrees for the command line: start, find, show changes, merge, and drop.
import { realpath } from 'node:fs/promises'
import { dataDir } from '../../../base/dirs.ts'
import type { EnvironmentVariables } from '../../../base/environment.ts'
import { UserError } from '../../../base/errors.ts'
import { createId } from '../../../base/ids.ts'
import { type RunPlace, startRunProcess } from '../run-access.ts'
import type { RunProcessOrder } from '../run-order.ts'
import { readRunRecord } from '../run-record.ts'
import { createRunWorktree, keepRunWorktree } from './create-worktree.ts'
import { dropRunWorktree, removeWorktree } from './drop-worktree.ts'
import { mergeRunWorktree, type WorktreeMerge } from './merge-worktree.ts'
import { type ChangedPath, readWorktreePatch, readWorktreeState } from './worktree-diff.ts'
import { gitRepositoryOf, withWorktreeTools } from './worktree-git.ts'
import { branchName, readWorktreeRecords, type WorktreeRecord } from './worktree-record.ts'

/**
 * Starts a run in a new worktree. Throws UserError without a repository or a commit, and if the run cannot
 * start; then nothing is left.
 */
export function startWorktreeRun(
  order: RunProcessOrder & { message: string },
  place: RunPlace,
  signal: AbortSignal,
): Promise<{ thread: string; notes: readonly string[]; branch: string; path: string }> {
  return withWorktreeTools(place.env, signal, async (tools) => {
    const thread = createId('sess')
    const mode = order.settings.mode ?? 'auto'
    const { record, notes } = await createRunWorktree(tools, { thread, workspace: order.cwd, mode })
    try {
      const started = await startRunProcess(
        { ...order, cwd: record.cwd, source: { kind: 'new', id: thread } },
        place,
      )
      await keepRunWorktree(tools, record)
      const { path } = record
      return { thread, notes: [...notes, ...started.notes], branch: branchName(record.branch), path }
    } catch (error) {
      await removeWorktree(tools, record)
      throw error
    }
  })
}

/**
 * Returns the worktree of a run by ID or unique prefix; `last` is the latest of this workspace. Throws
 * UserError for an unknown or ambiguous name.
 */
export async function findWorktree(
  name: string,
  { env, cwd }: { env: EnvironmentVariables; cwd: string },
): Promise<WorktreeRecord> {
  const all = readWorktreeRecords(dataDir(env))
  const here = await realpath(cwd)
  const matches =
    name === 'last'
      ? all.filter(({ origin, cwd: runCwd }) => origin === here || runCwd === here).slice(0, 1)
      : all.filter(({ thread }) => thread.startsWith(name) || thread.startsWith(`sess_${name}`))
  const [one, another] = matches
  if (one && !another) return one
  if (one)
    throw new UserError(`more than one run is named ${name}`, {
      hint: matches.map(({ thread }) => thread).join(', '),
    })
  throw new UserError(
    name === 'last' ? 'no run of this workspace has a worktree' : `no run ${name} has a worktree`,
    {
      hint: '`anode runs start --worktree "…"` begins one',
    },
  )
}

export function readWorktreeChanges(
  env: EnvironmentVariables,
  record: WorktreeRecord,
  signal: AbortSignal,
): Promise<{ files: readonly ChangedPath[]; patch: string }> {
  return withWorktreeTools(env, signal, async (tools) => {
    const repo = gitRepositoryOf(tools, record.top, record.origin)
    const state = await readWorktreeState(repo, record)
    return { files: state.files, patch: await readWorktreePatch(repo, state) }
  })
}

interface MergeOptions {
  checks?: string
  output(text: string): void
  signal: AbortSignal
}

/**
 * Merges the worktree. If there are conflicts, resumes the run with a message that lists the files. Throws
 * UserError while the run is active, for a missing worktree or target branch, and if the branch cannot be
 * moved or the run resumed. Throws FailureError for another failure of git.
 */
export function mergeWorktreeRun(
  record: WorktreeRecord,
  place: RunPlace,
  { signal, ...options }: MergeOptions,
): Promise<WorktreeMerge> {
  return withWorktreeTools(place.env, signal, async (tools) => {
    const title = readRunRecord(tools.data, record.thread)?.title ?? ''
    const merge = await mergeRunWorktree(tools, { record, title, ...options })
    if (merge.kind === 'conflicts') {
      const { thread, cwd, mode } = record
      const source = { kind: 'resume', thread } as const
      const message = describeConflicts(record, merge.files)
      await startRunProcess({ cwd, source, settings: { mode }, addDirs: [], message }, place)
    }
    return merge
  })
}

const describeConflicts = ({ into }: WorktreeRecord, files: readonly string[]) =>
  [
    `What you have done here was put on top of ${branchName(into ?? '')}, which has changed meanwhile.`,
    'Git stopped at conflicts in:',
    ...files.map((file) => `- ${file}`),
    'Resolve them in these files: keep what both sides are for, and remove the lines that git marks',
    'conflicts with (<<<<<<<, =======, >>>>>>>). Do not commit, and do not touch the rebase: the user',
    'continues it.',
  ].join('\n')

export function dropWorktreeRun(
  env: EnvironmentVariables,
  record: WorktreeRecord,
  { force, signal }: { force: boolean; signal: AbortSignal },
): Promise<{ lost: string | undefined }> {
  return withWorktreeTools(env, signal, (tools) => dropRunWorktree(tools, record, force))
}
