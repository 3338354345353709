// Git calls of Anode itself: git starts no program from a repository's configuration, and every call ends.
import { FailureError } from '../../base/errors.ts'
import { hideSecrets } from '../../base/secrets.ts'
import type { CommandOutcome, ProcessCommand, RunCommand } from '../process-command.ts'
import type { FilterMemory } from './filter-memory.ts'
import { disabledFilters } from './git-drivers.ts'
import { hardenedGitEnvironment, runUnblocked } from './git-environment.ts'
import { findGitLayout } from './git-layout.ts'

/** Subcommands that show differences and so accept `--no-ext-diff` and `--no-textconv`. */
const differing = new Set([
  'diff',
  'log',
  'show',
  'diff-tree',
  'diff-index',
  'diff-files',
  'format-patch',
  'whatchanged',
])

/**
 * Subcommands that, without the options below, never compare or write the content of files, so that no filter
 * can run. For all other subcommands the filters are disabled, which takes a call to list their names.
 */
const filterless = new Set(
  `rev-parse rev-list config ls-tree ls-files cat-file mktree update-ref symbolic-ref
  for-each-ref show-ref diff-tree merge-base merge-file log init version branch check-ignore ls-remote
  hash-object`.split(/\s+/),
)
const contentOptions = /^(-m|--modified|--filters|--textconv|--path|--path=.*)$/

/**
 * Default time limit of a call in milliseconds. Git that runs longer most likely waits for missing input or
 * an unreachable disk.
 */
const defaultMs = 60_000

export type GitOptions = Pick<
  ProcessCommand,
  'input' | 'timeoutMs' | 'signal' | 'keepBytes' | 'extraEnv' | 'childless'
> & {
  /** True if the user trusts the repository. Its content filters then run as in any checkout. */
  trusted?: boolean
  /** Cache of filter names. An entry is valid while the files that define the filters are unchanged. */
  memory?: FilterMemory
}

/**
 * Runs `git ARGS` in `cwd`. The first argument is the subcommand. A non-zero exit code, the time limit
 * (default: 60 seconds) and the signal are outcomes, not errors. Rejects with FailureError `io` if git would
 * block on a file of the repository, and names the file. Rejects also like `RunCommand`, if `.git` cannot be
 * read, and if the content filters of the repository cannot be listed.
 */
export async function runHardenedGit(
  run: RunCommand,
  cwd: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<CommandOutcome> {
  const [verb = '', ...rest] = args
  const { trusted, memory, ...command } = options
  const layout = findGitLayout(cwd)
  const keepsFilters = trusted === true || !layout || isFilterless(verb, rest)
  const filterOptions = { signal: command.signal, memory }
  const filters = keepsFilters ? [] : await disabledFilters(run, cwd, filterOptions)
  const quiet = differing.has(verb)
    ? ['--no-ext-diff', '--no-textconv']
    : verb === 'grep' || verb === 'blame'
      ? ['--no-textconv']
      : []
  return runUnblocked(layout, cwd, command.signal, (signal) =>
    run({
      timeoutMs: defaultMs,
      ...command,
      file: 'git',
      args: [verb, ...quiet, ...rest],
      cwd,
      signal,
      extraEnv: { ...hardenedGitEnvironment(filters), LC_ALL: 'C', ...command.extraEnv },
    }),
  )
}

function isFilterless(verb: string, rest: readonly string[]): boolean {
  // The option -m of `commit-tree` is a message, not an option that shows differences.
  if (verb === 'commit-tree') return true
  if (verb === 'hash-object') return rest.includes('--no-filters')
  if (verb === 'read-tree') return !rest.includes('-u')
  if (verb === 'update-index') return rest.includes('--index-info')
  if (verb === 'worktree') return rest[0] === 'list' || rest[0] === 'prune'
  return filterless.has(verb) && !rest.some((word) => contentOptions.test(word))
}

/**
 * Returns the standard output of `git ARGS`. Rejects with FailureError `command_failed`, `timeout` or
 * `cancelled` unless the exit code is 0, and with `too_large` if the output was truncated. Rejects
 * also like `runHardenedGit`.
 */
export async function gitText(
  run: RunCommand,
  cwd: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  const outcome = await runHardenedGit(run, cwd, args, options)
  if (outcome.exit === 0 && outcome.ended === undefined) {
    if (!outcome.stdout.cut) return outcome.stdout.text
    throw new FailureError({
      code: 'too_large',
      message: `git ${args[0]} printed ${outcome.stdout.bytes} bytes`,
    })
  }
  throw gitFailure(args[0] ?? '', outcome)
}

/**
 * Returns the failure of a git call. Its message has git's standard error or, if that is empty, the exit code
 * or signal. For a call that was cancelled or took too long, it says that instead.
 */
export function gitFailure(
  verb: string,
  { exit, signal, ended: endReason, ms, stderr }: CommandOutcome,
): FailureError {
  // Git prints the whole URL of a remote repository if it is invalid.
  const why = hideSecrets(stderr.text.trim(), '[secret]') || `exit ${exit ?? signal}`
  const detail =
    endReason === 'timeout'
      ? `took longer than ${Math.round(ms / 1000)} s`
      : endReason === 'cancelled'
        ? endReason
        : why
  return new FailureError({
    code: endReason ?? 'command_failed',
    message: `git ${verb}: ${detail}`,
    detail: { exit },
  })
}
