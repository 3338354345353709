// Start of git for worktrees of runs. Programs that the repository configures run only if the user trusts it.
import { join } from 'node:path'
import { dataDir } from '../../../base/dirs.ts'
import type { EnvironmentVariables } from '../../../base/environment.ts'
import { rememberFilters } from '../../../process/git/filter-memory.ts'
import { gitFailure, runHardenedGit } from '../../../process/git/git.ts'
import { repositoryGitEnvironment } from '../../../process/git/git-drivers.ts'
import type { CommandOutcome, RunCommand } from '../../../process/process-command.ts'
import type { GitRepository } from '../../../research/git/git-tree.ts'
import { openWorkspaceTrust } from '../../../runtime/workspace/workspace-trust.ts'
import { worktreeFolder } from './worktree-record.ts'

export interface WorktreeTools {
  data: string
  env: EnvironmentVariables
  run: RunCommand
  signal: AbortSignal
  /** Settings of repositories, cached until their files change. */
  known: NonNullable<GitRepository['known']>
}

/** Calls `work` with the functions for git, and afterwards ends git commands that still run. */
export async function withWorktreeTools<T>(
  env: EnvironmentVariables,
  signal: AbortSignal,
  work: (tools: WorktreeTools) => Promise<T>,
): Promise<T> {
  const { createRunner } = await import('../../../process/run-command.ts')
  const data = dataDir(env)
  const runner = createRunner({ dataDir: data, env, keep: [] })
  const gitMemory = { filters: rememberFilters(), settings: new Map<string, string>() }
  try {
    return await work({ data, env, run: (command) => runner.run(command), signal, known: gitMemory })
  } finally {
    await runner.close()
  }
}

/** Returns the repository around `top`. The trust of the workspace `origin` applies. */
export function gitRepositoryOf(tools: WorktreeTools, top: string, origin: string): GitRepository {
  const { data, env, run, signal, known: gitMemory } = tools
  const trusted = openWorkspaceTrust(origin, env).read().state === 'trusted'
  return { run, top, scratch: join(worktreeFolder(data), 'scratch'), signal, trusted, known: gitMemory }
}

const long = { timeoutMs: 600_000, keepBytes: 64 << 20 }

/** Runs a git command with a limit of 10 minutes. Returns a failure of git as an outcome, not an error. */
export async function tryGit(
  { run, signal, trusted, known: gitMemory }: GitRepository,
  cwd: string,
  args: readonly string[],
  extraEnv: Readonly<Record<string, string>> = {},
): Promise<CommandOutcome> {
  const gitEnv = trusted
    ? {}
    : await repositoryGitEnvironment(run, cwd, { signal, memory: gitMemory?.filters })
  // git may start programs here: in a repository without trust, the variables in `gitEnv` disable its filters
  // and other programs
  const childless = !trusted && args[0] !== 'worktree'
  const options = { ...long, trusted: true, extraEnv: { ...gitEnv, ...extraEnv }, signal, childless }
  return runHardenedGit(run, cwd, args, options)
}

/**
 * Runs a git command and returns its output. Rejects with FailureError if it fails: `command_failed`,
 * `timeout` or `cancelled`.
 */
export async function requireGit(
  repo: GitRepository,
  cwd: string,
  args: readonly string[],
  extraEnv: Readonly<Record<string, string>> = {},
): Promise<string> {
  const outcome = await tryGit(repo, cwd, args, extraEnv)
  if (outcome.exit === 0 && outcome.ended === undefined) return outcome.stdout.text
  throw gitFailure(args[0] ?? '', outcome)
}

/**
 * Returns environment variables with the author of commits: empty if git has an identity of the user,
 * otherwise those of Anode.
 */
export async function committerEnvironment(
  repo: GitRepository,
  cwd: string,
): Promise<Readonly<Record<string, string>>> {
  const identity = await tryGit(repo, cwd, ['var', 'GIT_COMMITTER_IDENT'])
  if (identity.exit === 0) return {}
  const name = 'anode'
  const email = 'anode@localhost'
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  }
}
