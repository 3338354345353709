// The tool bash_batch: runs several shell commands in one call, in order or in parallel.
import { normalize } from 'node:path'
import * as z from 'zod/mini'
import { type Failure, FailureError } from '../../base/errors.ts'
import type { CallScope } from '../../policy/level.ts'
import { isWithin } from '../../policy/paths/path-jail.ts'
import { clip } from '../../tool/clip/clip.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field, filledText, optionalNumber, wholeNumber } from '../../tool/field.ts'
import { type ToolResult, withNotes } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import {
  describeShellEnd,
  judgedLine,
  maxShellMs,
  runShellCommand,
  type ShellOutcome,
  shellDirectory,
  shellOutcomeOf,
} from '../../tool-support/shell-command.ts'
import about from './bash_batch.md'

const line = z.object({
  command: field(filledText(), 'Shell command to run'),
  cwd: field(z.optional(filledText()), 'Directory to run it in'),
  timeout_ms: field(optionalNumber(), 'Milliseconds until it is stopped', { cap: maxShellMs }),
  stdin: field(z.optional(z.string()), 'Input of the command'),
})

const input = z.object({
  commands: field(z.array(line).check(z.minLength(1), z.maxLength(20)), 'Commands to run, at most 20'),
  cwd: field(z.optional(filledText()), 'Directory for commands that set none'),
  timeout_ms: field(z._default(wholeNumber(), 900_000), 'Milliseconds for each command that sets none', {
    cap: maxShellMs,
  }),
  parallel: field(z._default(z.boolean(), false), 'true: start all commands at once'),
  keep_going: field(z._default(z.boolean(), false), 'true: continue after a command that failed'),
})
type BatchArgs = z.output<typeof input>

/** A command with the directory in which it runs if everything before it succeeds. */
interface PlannedLine {
  command: string
  stdin: string | undefined
  timeoutMs: number
  /**
   * Directory of the command: its `cwd`, or where earlier `cd` commands lead from the `cwd` of the call.
   * Undefined without any of these; the workspace root then applies.
   */
  cwd: string | undefined
  /** True if an earlier `cd` command decides the directory. */
  isMoved: boolean
  /**
   * The directory to which a command leads that is only `cd` and whose text shows the directory. Such a
   * command starts no shell. Undefined for any other command, for a command with a `cwd`, and if all
   * run in parallel.
   */
  moves: string | undefined
}

interface LineEnd extends Partial<ShellOutcome> {
  command: string
  status: string
  output: string
  /**
   * Lines about the sandbox, such as refused accesses or why it is missing, and about changes that
   * cannot be undone.
   */
  sandbox?: readonly string[]
  /**
   * True if the command line succeeded; false if it failed or could not be started; undefined if it was
   * skipped after the failure of an earlier command.
   */
  ok?: boolean
  /** The failure because of which the command line could not be started. */
  unstarted?: Failure
}

export const bashBatch = defineTool({
  name: 'bash_batch',
  about,
  offer: { optional: true },
  level: 'confirm_execute',
  input,
  example: { commands: [{ command: 'cd web' }, { command: 'npm run lint' }, { command: 'npm test' }] },
  clip: { chars: 60_000, lines: 1_000, keep: 'ends' },
  access: (args) => ({ scope: planLines(args).flatMap(scopeOf), sandboxed: true }),
  available: (ctx) => (ctx.can.processes.run ? true : 'no processes may be started here'),
  async run(args, ctx) {
    const lines = planLines(args)
    const ends = args.parallel
      ? await Promise.all(lines.map((one) => runLine(one, ctx)))
      : await runInOrder(lines, args.keep_going, ctx)
    return reportBatch(ends, args.keep_going)
  },
})

/**
 * Returns each command with its time limit and directory. A command without `cwd` that is only `cd` changes
 * the directory of the later commands without `cwd`, unless all run in parallel. The directories are judged
 * before any command has run.
 */
function planLines({ commands, cwd, timeout_ms, parallel }: BatchArgs): PlannedLine[] {
  let folder = cwd
  let hasMoved = false
  return commands.map(({ command, stdin, ...options }) => {
    const at = options.cwd ?? folder
    const isMoved = options.cwd === undefined && hasMoved
    const target = parallel || options.cwd !== undefined ? undefined : folderOfBareCd(command)
    const moves = target === undefined ? undefined : joinFolder(at, target)
    if (moves !== undefined) folder = moves
    hasMoved ||= moves !== undefined
    return { command, stdin, timeoutMs: options.timeout_ms ?? timeout_ms, cwd: at, isMoved, moves }
  })
}

function scopeOf({ command, stdin, cwd, moves }: PlannedLine): CallScope[] {
  const at: CallScope[] = cwd === undefined ? [] : [{ kind: 'path', path: cwd, access: 'read' }]
  const to: CallScope[] = moves === undefined ? [] : [{ kind: 'path', path: moves, access: 'read' }]
  const run: CallScope = { kind: 'command', line: judgedLine(command, stdin), cwd }
  return [run, ...at, ...to]
}

/**
 * Returns the directory of a command that is only `cd FOLDER`, if its text shows the
 * directory; otherwise undefined.
 */
function folderOfBareCd(command: string): string | undefined {
  const match = /^\s*cd\s+(?:--\s+)?(?:'([^'\0\n]+)'|"([^"$`\\!\0\n]+)"|([\w./@%+,:=~-]+))\s*$/.exec(command)
  const folder = match?.[1] ?? match?.[2] ?? match?.[3]
  if (folder === undefined || folder.startsWith('-')) return undefined
  // In quotes, a tilde is part of a name. Without quotes, only the home directory of the user is known.
  if (folder.startsWith('~')) return match?.[3] && /^~(?:\/|$)/.test(folder) ? folder : undefined
  return folder
}

function joinFolder(at: string | undefined, target: string): string {
  return at === undefined || /^[/~]/.test(target) ? target : `${at.replace(/\/+$/, '') || '/'}/${target}`
}

async function runInOrder(lines: readonly PlannedLine[], keepsGoing: boolean, ctx: Ctx): Promise<LineEnd[]> {
  const ends: LineEnd[] = []
  // A command is judged in the directory that an earlier `cd` leads to, so it cannot run after that
  // `cd` has failed.
  let lost: string | undefined
  let stopped = false
  for (const one of lines) {
    if (stopped || (lost !== undefined && isLost(one, lost))) {
      ends.push({ command: one.command, status: 'not run', output: '' })
      continue
    }
    const end = await runLine(one, ctx)
    ends.push(end)
    if (end.ok) continue
    if (one.moves !== undefined) lost ??= one.moves
    stopped = !keepsGoing || ctx.signal.aborted
  }
  return ends
}

/** Returns true if a command runs at or below `lost`, or has no `cwd` and follows a `cd`. */
const isLost = ({ cwd, isMoved }: PlannedLine, lost: string): boolean =>
  isMoved || (cwd !== undefined && isWithin(normalize(cwd), normalize(lost)))

/**
 * Runs one command. If its start fails, the failure is the result of this command and does not end the call.
 */
async function runLine(one: PlannedLine, ctx: Ctx): Promise<LineEnd> {
  const { command, stdin, timeoutMs, moves } = one
  try {
    const dir = shellDirectory(moves ?? one.cwd, ctx)
    if (moves !== undefined) return { command, status: 'exit 0', output: '', ok: true, exit: 0 }
    const { outcome, output, sandbox } = await runShellCommand({ command, dir, stdin, timeoutMs }, ctx)
    const { status, failed } = describeShellEnd(outcome, timeoutMs)
    return { command, status, output, sandbox, ok: failed === undefined, ...shellOutcomeOf(outcome) }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    const { failure } = error
    return { command, status: failure.message, output: '', ok: false, exit: null, unstarted: failure }
  }
}

/**
 * Returns the result of the call: the commands up to the first failure, or all if the call continues after
 * failures. Lines below them report how the other commands ended.
 */
function reportBatch(ends: readonly LineEnd[], keepsGoing: boolean): ToolResult {
  const first = ends.findIndex((end) => !end.ok)
  const shownEnds = keepsGoing || first === -1 ? ends : ends.slice(0, first + 1)
  const rest = ends.slice(shownEnds.length)
  const commands = ends.map(({ output: _, sandbox: __, unstarted: ___, ...end }) => end)
  const data = { commands, failed: first === -1 ? null : first }
  const raw = { output: shownEnds.map(({ output }) => output).join('') }
  const text = shownEnds.map(describeLine).join('\n')
  const closing = rest.map(({ command, status }) => `[$ ${shortenCommand(command)}: ${status}]`).join('\n')
  // A call that continues after failures reports them as results of its commands.
  if (first === -1 || (keepsGoing && !ends.some((end) => end.cancelled))) return { text, data, raw }
  const { command, status } = ends[first] as LineEnd
  const message = `${shortenCommand(command)}: ${status}`
  return { text, closing, data, raw, failed: { code: codeOfEnd(ends[first] as LineEnd), message } }
}

function codeOfEnd({ timed_out, cancelled, unstarted }: LineEnd) {
  if (unstarted) return unstarted.code
  return timed_out ? 'timeout' : cancelled ? 'cancelled' : 'command_failed'
}

/**
 * Describes the end of a command. Of output over 20,000 characters or 256 lines, only beginning and end are
 * shown, so that one command leaves room for the others.
 */
function describeLine({ command, output, status, sandbox = [], unstarted }: LineEnd): string {
  const { text } = clip(output, { chars: 20_000, lines: 256, keep: 'ends' })
  return withNotes(`$ ${command}`, [
    text.replace(/\n$/, ''),
    `[${status}]`,
    ...sandbox,
    unstarted?.hint ?? '',
  ])
}

const shortenCommand = (command: string) => {
  const [first = ''] = command.split('\n')
  return first.length > 80 || first !== command ? `${first.slice(0, 79)}…` : first
}
