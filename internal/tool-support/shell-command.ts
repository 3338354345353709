// The run of one shell command: its directory, its environment, and the description of its end.
import { statSync } from 'node:fs'
import { homeDir } from '../base/dirs.ts'
import { type Failure, FailureError } from '../base/errors.ts'
import { countNoun } from '../base/text/count-noun.ts'
import { collapseRepeats, createRepeatCollapser } from '../base/text/repeat-collapser.ts'
import { commandEnvironment } from '../process/child-environment.ts'
import { harmlessGitEnvironment } from '../process/git/git-drivers.ts'
import type { CommandOutcome, ProcessCommand } from '../process/process-command.ts'
import type { Ctx } from '../tool/ctx.ts'
import { commandSandbox, type SandboxNeeds, sandboxNotes } from './command-sandbox.ts'
import { locateExisting } from './path-location.ts'
import { describePipes, readPipes, watchPipe } from './pipe-status.ts'
import { refuseScreenEditors } from './screen-editors.ts'
import { recordCommandChanges } from './undo/command-changes.ts'

export const maxShellMs = 1_800_000

export interface ShellCommand {
  command: string
  /** Real path of the directory that the command runs in. */
  dir: string
  timeoutMs: number
  stdin?: string | undefined
  /**
   * True to run bash with `-e` and `pipefail`: a failed command ends the whole line, and a pipe fails if one
   * of its commands fails.
   */
  strict?: boolean | undefined
  /** Access that the sandbox of the command must grant. */
  needs?: SandboxNeeds | undefined
  /**
   * True if output and errors are needed as separate streams, which the terminal of an editor
   * does not support.
   */
  apart?: boolean | undefined
}

/** Data about the end of a command, for programs. */
export interface ShellOutcome {
  exit: number | null
  /** Exit codes of all commands of the last pipe in which one failed; undefined without such a pipe. */
  pipe?: number[]
  /**
   * Exit codes of the commands of the last pipes, at most eight, in which one failed. Set for two or
   * more such pipes.
   */
  pipes?: number[][]
  signal: string | null
  timed_out: boolean
  cancelled: boolean
  duration_ms: number
  stdout_bytes: number
  stderr_bytes: number
  /** True if output of the command beyond 64 MiB was dropped. */
  cut: boolean
  /** True if invalid UTF-8 in the output was replaced. */
  invalid_utf8: boolean
  /** Number of processes that outlived the command and were ended. */
  leaked: number
  /** Accesses of the command that the sandbox refused. Set for a command in a sandbox. */
  refused?: readonly string[]
}

/**
 * Runs the command to its end. `output` is its output in order of arrival, up to 64 MiB, with floods
 * shortened. `sandbox` contains lines on what the sandbox hid or refused, or why it is missing, and on
 * changes that cannot be undone.
 */
export async function runShellCommand(
  order: ShellCommand,
  ctx: Ctx,
): Promise<{ outcome: CommandOutcome; output: string; sandbox: string[] }> {
  const { showOutput } = ctx.can.processes
  const watched = order.strict ? undefined : watchPipe(order.command)
  const command = await shellCommandOf(order, ctx, watched?.command)
  const findChanges = await (await ctx.can.processes.sandbox?.())?.record?.(command.sandbox)
  const outcome = await runCommand(order, ctx, {
    ...command,
    report: watched?.report,
    input: order.stdin,
    timeoutMs: order.timeoutMs,
    signal: ctx.signal,
    whole: true,
    onOutput: showOutput && ((chunk: Uint8Array) => showOutput(ctx.call.id, chunk)),
  })
  const sandbox = await sandboxNotes(outcome, order.needs, ctx)
  const changes = outcome.sandbox ? outcome.sandbox.changes : findChanges?.()
  if (changes && (changes.files.length > 0 || !changes.all)) {
    sandbox.push(...(await recordCommandChanges(ctx, changes)))
  }
  return { outcome, output: await outputOf(outcome), sandbox }
}

/**
 * Runs the command in the terminal of an editor if there is one and no sandbox, because an editor cannot
 * build a sandbox. All other commands, and those of subagents or with separate streams, run as child
 * processes of this process.
 */
async function runCommand(
  { apart = false }: ShellCommand,
  { can, call: { id: call }, agent: { child } = {} }: Ctx,
  command: ProcessCommand,
): Promise<CommandOutcome> {
  const run = can.processes.run as NonNullable<Ctx['can']['processes']['run']>
  const hosted = apart || child !== undefined ? undefined : (await can.processes.sandbox?.())?.runHosted
  return (await hosted?.(call, command)) ?? run(command)
}

/**
 * Returns the program that runs the command, with its environment and its sandbox. `fullCommand` is the
 * command with added code; only `command` decides the environment.
 */
export async function shellCommandOf(
  { command, dir, strict, needs }: Pick<ShellCommand, 'command' | 'dir' | 'strict' | 'needs'>,
  ctx: Ctx,
  fullCommand = command,
) {
  const script = refuseScreenEditors(fullCommand)
  return {
    file: 'bash',
    args: strict ? ['-o', 'pipefail', '-ec', script] : ['-c', script],
    cwd: dir,
    env: await buildEnvironment(command, dir, ctx),
    sandbox: await commandSandbox(ctx, needs),
  }
}

/**
 * Returns the user's shell environment. If the command only reads and runs git, git gets settings under which
 * it starts no programs, and no variables that lead it elsewhere.
 */
async function buildEnvironment(command: string, dir: string, ctx: Ctx): Promise<Record<string, string>> {
  const env = shellEnvironment(ctx)
  const { foldersOfGit } = await import('../policy/shell/git/hardened-lines.ts')
  const folders = await foldersOfGit(command, dir, ctx.policy.roots)
  if (!folders) return env
  const run = ctx.can.processes.run as NonNullable<Ctx['can']['processes']['run']>
  const hardened = await harmlessGitEnvironment(run, folders, { signal: ctx.signal })
  const variables = Object.entries(env).filter(([name]) => !leadsGit.test(name))
  // With the variable CDPATH, a `cd` could lead to directories that were not judged.
  return { ...Object.fromEntries(variables), ...hardened, CDPATH: '' }
}

/**
 * Returns the environment of the user's shell. If `~` is another directory, git and XDG programs still use
 * the settings of the user's real home.
 */
export function shellEnvironment({ env, settings, policy }: Ctx): Record<string, string> {
  const variables = commandEnvironment(env, settings.shell.env)
  const { home } = policy.roots
  if (home === undefined) return variables
  const userHome = variables.HOME || homeDir()
  return {
    GIT_CONFIG_GLOBAL: `${userHome}/.gitconfig`,
    XDG_CONFIG_HOME: `${userHome}/.config`,
    XDG_CACHE_HOME: `${userHome}/.cache`,
    XDG_DATA_HOME: `${userHome}/.local/share`,
    ...variables,
    HOME: home,
  }
}

/** Matches names of variables that lead git to another repository or give it settings. */
const leadsGit = /^GIT_(?!CONFIG_(?:GLOBAL|NOSYSTEM)$)/

/**
 * Returns the real path of the directory that a command runs in. Default: the session's directory. Throws
 * FailureError `not_found`, `not_a_directory`, or the errors of `locatePath`.
 */
export function shellDirectory(cwd: string | undefined, ctx: Ctx): string {
  if (cwd === undefined) return ctx.cwd
  const place = locateExisting(ctx, cwd)
  if (!statSync(place.real).isDirectory()) {
    throw new FailureError({ code: 'not_a_directory', message: `${place.shown} is not a directory` })
  }
  return place.real
}

/**
 * Returns the output of a command, complete up to the limit of the stored file, and removes that file. Equal
 * lines in a row are shortened during reading, so that a flood does not fill memory.
 */
async function outputOf({ whole, combined }: CommandOutcome): Promise<string> {
  if (!whole) return collapseRepeats(combined.text)
  const lines = createRepeatCollapser()
  const out: string[] = []
  for await (const part of whole.text()) out.push(lines.push(part))
  whole.remove()
  return out.join('') + lines.finish()
}

const pipeFields = (pipes: number[][]) => ({
  pipe: pipes.at(-1),
  pipes: pipes.length > 1 ? pipes : undefined,
})

export const shellOutcomeOf = (outcome: CommandOutcome): ShellOutcome => ({
  exit: outcome.exit,
  ...pipeFields(readPipes(outcome.report)),
  signal: outcome.signal,
  timed_out: outcome.ended === 'timeout',
  cancelled: outcome.ended === 'cancelled',
  duration_ms: Math.round(outcome.ms),
  stdout_bytes: outcome.stdout.bytes,
  stderr_bytes: outcome.stderr.bytes,
  cut: outcome.whole?.cut ?? false,
  invalid_utf8: outcome.stdout.invalid || outcome.stderr.invalid,
  leaked: outcome.leaked,
  refused: outcome.sandbox?.refused,
})

/**
 * Describes the end of a command. `status` is `exit 0` or similar, followed by the `notes`. `failed` is set
 * for a timeout, a cancellation, a signal, and every exit code except 0.
 */
export function describeShellEnd(
  { exit, signal, ended: endReason, leaked, stdout, stderr, report }: CommandOutcome,
  timeoutMs: number,
): { status: string; notes: readonly string[]; failed?: Failure } {
  const notes: string[] = []
  if (leaked > 0)
    notes.push(
      `${countNoun(leaked, 'background process was', 'background processes were')} ended with the command`,
    )
  if (stdout.invalid || stderr.invalid) notes.push('bytes that are not UTF-8 were replaced')
  const withNotes = (status: string) => [status, ...notes].join('; ')
  if (endReason === 'timeout') {
    const message = `the command timed out after ${timeoutMs} ms and was ended`
    const hint = `give a larger \`timeout_ms\` (up to ${maxShellMs}), or \`background: true\``
    return { status: withNotes(message), notes, failed: { code: 'timeout', message, hint } }
  }
  if (endReason === 'cancelled') {
    const message = 'the command was cancelled'
    return { status: withNotes(message), notes, failed: { code: 'cancelled', message } }
  }
  const parts = describePipes(readPipes(report))
  const end = signal === null ? `exit ${exit}${parts}` : `ended by ${signal}`
  if (exit === 0) return { status: withNotes(end), notes }
  const message = `the command ended with ${end}`
  return { status: withNotes(end), notes, failed: { code: 'command_failed', message } }
}

/**
 * Returns the command line that the policy judges. The input of the command is added as a here document,
 * because a program may run its input.
 */
export function judgedLine(command: string, stdin: string | undefined): string {
  if (stdin === undefined) return command
  let end = 'STDIN'
  while (stdin.split('\n').includes(end)) end += '_'
  return `{ ${command}\n} <<'${end}'\n${stdin}\n${end}`
}
