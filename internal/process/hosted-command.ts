// A command that another program starts, such as an editor in its terminal; Anode still applies the limits
// and ends it.
import { rmSync, writeFileSync } from 'node:fs'
import { FailureError } from '../base/errors.ts'
import { quoteForShell } from '../base/text/quoting/shell-word.ts'
import { monotonicNow, waitAtMost } from '../base/time-limit.ts'
import { type ChildExit, endDescendants } from './child-end.ts'
import { childFile } from './child-owner.ts'
import { planOf, planUnconfined, type StartContext } from './child-start.ts'
import { captureOutput, combineOutput } from './output/combined-output.ts'
import type {
  CommandHost,
  CommandOutcome,
  HostedCommand,
  ProcessCommand,
  SpawnPlan,
} from './process-command.ts'
import { type ChildHaste, killProcessFamily } from './process-family.ts'
import { keepDefault, neverStarted, readReport, watchLimits } from './run-command.ts'
import type { ProcessFamily } from './table/descendants.ts'

/** Largest output of a command in bytes, because the host sends it as one message. */
const maxOutputBytes = 4 * 1024 * 1024
/** Milliseconds between TERM and KILL, as for commands that this process starts itself. */
const graceMs = 2000
/**
 * Milliseconds in which the host has to report the end of a killed command. After that, the command
 * counts as killed.
 */
const lostMs = 5000

/**
 * Runs one command through the program `host`, which must be on this machine. Resolves to undefined if the
 * host has no terminals. Rejects like RunCommand, and with FailureError `io` if the host fails.
 */
export async function runHostedCommand(
  context: StartContext,
  command: ProcessCommand,
  { host, call }: { host: CommandHost; call: string },
  closing: AbortSignal,
): Promise<CommandOutcome | undefined> {
  const signal = command.signal ? AbortSignal.any([command.signal, closing]) : closing
  if (signal.aborted) return neverStarted()
  const began = monotonicNow()
  const { directory } = await context.owner.ready({ piped: false, childless: false })
  const number = context.owner.number()
  const { haste } = context.owner
  const mark = context.owner.mark(number)
  const outside = planOf(context, command, mark)
  const request = command.sandbox
  const { plan, limit } = planUnconfined(context.owner, outside, { request, directory, number })
  const files = [childFile(directory, number, 'start'), childFile(directory, number, 'input')] as const
  const family: ProcessFamily = { mark, limit, known: new Map() }
  try {
    writeFileSync(files[1], command.input ?? '', { mode: 0o600 })
    writeFileSync(files[0], startScript(plan, files[1]), { mode: 0o600 })
    // Bash ignores the last argument of the started script; the host shows it to the user as the command.
    const visible = { file: 'bash', args: ['-p', files[0], outside.args.at(-1) ?? ''], cwd: plan.cwd }
    const started = await host.start(visible, { call, maxBytes: maxOutputBytes, signal })
    if (!started) return undefined
    const end = await awaitEnd(started, { family, haste }, command.timeoutMs, signal)
    const report = readReport(plan.env.TMPDIR, command.report)
    const spool = command.whole ? childFile(directory, number, 'output') : undefined
    const outcome: CommandOutcome = {
      ...end.exit,
      ended: end.why,
      ms: Math.round(monotonicNow() - began),
      leaked: end.leaked,
      ...captureText(end.output, command.keepBytes ?? keepDefault, spool),
    }
    if (report !== undefined) outcome.report = report
    return outcome
  } catch (error) {
    // The host may have started the command before it failed, so the processes of the command are ended.
    await killProcessFamily(family, graceMs, haste)
    throw error
  } finally {
    for (const file of files) rmSync(file, { force: true })
  }
}

async function awaitEnd(
  started: HostedCommand,
  { family, haste }: { family: ProcessFamily; haste: ChildHaste },
  timeoutMs: number | undefined,
  signal: AbortSignal,
) {
  let termSentAt: number | undefined
  let isOver = false
  started.exited.then(
    () => {
      isOver = true
    },
    () => undefined,
  )
  const end = async (): Promise<ChildExit> => {
    termSentAt = monotonicNow()
    await killProcessFamily(family, graceMs, haste)
    if (!isOver) await started.kill()
    const exit = await waitAtMost(started.exited, lostMs).catch(() => 'late' as const)
    return typeof exit === 'object' ? exit.value : { exit: null, signal: 'SIGKILL' }
  }
  const limits = watchLimits(end, timeoutMs, [signal])
  try {
    // If the host reports an error because the command was ended, that error is not a separate failure.
    const exit = await Promise.race([started.exited, limits.ended]).catch((error) => {
      if (limits.why === undefined) throw error
      return limits.ended
    })
    limits.release()
    const leaked = await endDescendants(family, termSentAt, haste)
    const output = await started.readOutput().catch((error) => {
      if (limits.why === undefined) throw error
      return { text: '', isTruncated: false }
    })
    return { exit, why: limits.why, leaked, output }
  } finally {
    limits.release()
    await started.release()
  }
}

/** Returns the whole output as standard output, because terminals do not separate streams. */
function captureText(
  { text, isTruncated }: Awaited<ReturnType<HostedCommand['readOutput']>>,
  keep: number,
  spool: string | undefined,
): Pick<CommandOutcome, 'stdout' | 'stderr' | 'combined' | 'whole' | 'torn'> {
  const all = Buffer.from(isTruncated ? `… the beginning of the output was dropped …\n${text}` : text)
  const stdout = captureOutput(keep)
  const joined = combineOutput(keep, spool)
  stdout.push(all)
  joined.push(all, 'stdout')
  joined.finish()
  const captured = stdout.captured()
  return {
    stdout: isTruncated ? { ...captured, cut: true } : captured,
    stderr: captureOutput(1).captured(),
    combined: joined.capture.captured(),
    whole: joined.whole(),
    torn: false,
  }
}

/**
 * Returns a bash script that starts the plan with its environment, without variables of the host and without
 * names that bash cannot export. `-p` makes bash ignore functions and start files of the host's environment.
 * The file keeps values off the process list. Throws FailureError `bad_args` for a NUL byte.
 */
function startScript({ file, args, env }: SpawnPlan, input: string): string {
  const words = [file, ...args]
  if ([...words, ...Object.values(env)].some((word) => word.includes('\0')))
    throw new FailureError({
      code: 'bad_args',
      message: 'a program, argument or variable contains a NUL byte',
      hint: 'remove the NUL byte and call again',
    })
  const variables = Object.entries(env).filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
  return [
    `[[ $# == 2 && $2 == clean ]] || exec -c "$BASH" -p "$0" "$1" clean`,
    ...variables.map(([name, value]) => `export ${name}=${quoteForShell(value)}`),
    `exec <${quoteForShell(input)} || exit 126`,
    `exec -- ${words.map(quoteForShell).join(' ')}`,
    '',
  ].join('\n')
}
