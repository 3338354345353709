// Git as Anode itself runs it: nothing that a repository's own configuration names gets started.
import { FailureError } from '../base/errors.ts'
import type { Command, Outcome, Run } from './command.ts'

/**
 * Settings that would start programs, each switched off. Clean and smudge filters are not among them: they have
 * names of their own and change what files mean, so a tree that is not trusted must not be staged or checked out.
 */
const settings = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.sshCommand=ssh',
  'credential.helper=',
  'protocol.ext.allow=never',
  'log.showSignature=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'submodule.recurse=false',
  // a collection in the background would outlive the command and be swept away half done
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting])

const environment = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  // these win over the settings of the same purpose; a colon is git's own name for doing nothing
  GIT_EDITOR: ':',
  GIT_SEQUENCE_EDITOR: ':',
  GIT_ASKPASS: '',
  LC_ALL: 'C',
}

/** Subcommands that show differences and so know both options. */
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

export type GitOptions = Pick<
  Command,
  'input' | 'timeoutMs' | 'signal' | 'keepBytes' | 'extraEnv' | 'childless'
>

/** Runs `git ARGS` in `cwd`; the first argument is the subcommand. An exit code above 0 is an outcome, not an error. */
export function git(
  run: Run,
  cwd: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Outcome> {
  const [verb = '', ...rest] = args
  const quiet = differing.has(verb)
    ? ['--no-ext-diff', '--no-textconv']
    : verb === 'grep'
      ? ['--no-textconv']
      : []
  return run({
    ...options,
    file: 'git',
    args: [...settings, verb, ...quiet, ...rest],
    cwd,
    extraEnv: { ...environment, ...options.extraEnv },
  })
}

/** What `git ARGS` prints. Rejects with FailureError `command_failed`, `timeout` or `cancelled` when it does not exit with 0. */
export async function gitText(
  run: Run,
  cwd: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  const outcome = await git(run, cwd, args, options)
  if (outcome.exit === 0 && outcome.ended === undefined) {
    if (!outcome.stdout.cut) return outcome.stdout.text
    throw new FailureError({
      code: 'too_large',
      message: `git ${args[0]} printed ${outcome.stdout.bytes} bytes`,
    })
  }
  const why = outcome.stderr.text.trim() || `exit ${outcome.exit ?? outcome.signal}`
  const message = `git ${args[0]}: ${outcome.ended ?? why}`
  throw new FailureError({ code: outcome.ended ?? 'command_failed', message, detail: { exit: outcome.exit } })
}
