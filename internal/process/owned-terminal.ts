// The start of child processes on a separate pseudo terminal, where they run until they exit or are stopped.
import { closeSync } from 'node:fs'
import { FailureError } from '../base/errors.ts'
import { monotonicNow } from '../base/time-limit.ts'
import { endChild, endDescendants } from './child-end.ts'
import { planOf, planUnconfined, type StartContext, type StartedChild } from './child-start.ts'
import type { ProcessCommand, SandboxedStart, SpawnPlan } from './process-command.ts'

/** The size of a terminal and the receiver of its output. */
interface TerminalShape {
  rows: number
  columns: number
  /**
   * Receives the output, decoded from UTF-8, in order of arrival and with all control sequences.
   * Must not throw.
   */
  onOutput: (text: string) => void
}

/** A started program with Anode's end of its terminal. */
interface PseudoTerminal {
  readonly pid: number
  write(text: string): void
  /** Resolves when the program has exited and all of its output has arrived. */
  readonly exited: StartedChild['exited']
  /** Closes the terminal. May be called twice. */
  close(): void
}

/** Starts a program on a new terminal whose session it leads. Throws if the system has no free terminal. */
export type OpenPseudoTerminal = (plan: SpawnPlan, shape: TerminalShape) => PseudoTerminal

interface TerminalCommand
  extends Pick<ProcessCommand, 'file' | 'args' | 'cwd' | 'env' | 'sandbox'>,
    TerminalShape {
  open: OpenPseudoTerminal
}

export interface OwnedTerminal {
  readonly pid: number
  write(text: string): void
  /**
   * Resolves, never rejects, when the program itself has exited. Processes that it started may
   * still be ending.
   */
  readonly exited: StartedChild['exited']
  /** Resolves when no process of the program is running any more. */
  readonly gone: Promise<void>
  /**
   * Resolves at the same time as `gone`: to the error if the sandbox could not be started, so that nothing
   * ran; otherwise to undefined.
   */
  readonly refused: Promise<unknown>
  /**
   * Sends TERM and a hang-up, KILL after two seconds, then ends every descendant. `force`: KILL at once.
   * Resolves like `gone`.
   */
  stop(force?: boolean): Promise<void>
}

/**
 * Starts a program on a new terminal. Rejects like RunCommand, with FailureError `cancelled` if the runner is
 * closed, and with the error that `open` throws.
 */
export type OpenTerminal = (command: TerminalCommand) => Promise<OwnedTerminal>

/**
 * Starts a program on a new terminal, as an `OpenTerminal`. Stops it when `closing` aborts, and does not
 * start it if `closing` has already aborted.
 */
export async function spawnTerminal(
  context: StartContext,
  command: TerminalCommand,
  closing: AbortSignal,
): Promise<OwnedTerminal> {
  if (closing.aborted)
    throw new FailureError({ code: 'cancelled', message: `${command.file} was not started: cancelled` })
  const { directory } = await context.owner.ready({ piped: false, childless: false })
  const number = context.owner.number()
  const { haste } = context.owner
  const mark = context.owner.mark(number)
  const outside = planOf(context, command, mark)
  const { temporary } = context
  const request = command.sandbox && { ...command.sandbox, terminal: true }
  const start = request && { sandbox: request, directory, number, temporary }
  const sandbox = start && (await context.sandbox?.(outside, start))
  const { plan, limit = undefined } = sandbox
    ? { plan: withStatusFile(sandbox) }
    : planUnconfined(context.owner, outside, { request, directory, number })
  let first = ''
  const onOutput = (text: string) => {
    if (first.length < maxErrorChars) first += text
    command.onOutput(text)
  }
  const { terminal, at } = await openOn(plan, { ...command, onOutput }, sandbox)
  const { start: born, done } = context.owner.note(directory, terminal.pid)
  const family = { mark, limit, leader: { pid: terminal.pid, start: born, at }, known: new Map() }
  const child = { pid: terminal.pid, family, sandbox, exited: terminal.exited }
  let termSentAt: number | undefined
  const refused = terminal.exited.then(async ({ exit }) => {
    closing.removeEventListener('abort', stop)
    await endDescendants(family, termSentAt, haste)
    terminal.close()
    done()
    const stopped = termSentAt !== undefined || exit === 0
    return await sandbox?.leave({ stopped, errors: first }).then(() => undefined, returnError)
  })
  const endPromise = refused.then(() => undefined)
  const stop = () => end(false)
  const end = (force: boolean) => {
    if (termSentAt === undefined || force) {
      termSentAt = monotonicNow()
      void endChild(child, { hangsUp: true, haste, graceMs: force ? 0 : undefined })
    }
    return endPromise
  }
  closing.addEventListener('abort', stop, { once: true })
  if (closing.aborted) void stop()
  return {
    pid: terminal.pid,
    write: (text) => terminal.write(text),
    exited: terminal.exited,
    gone: endPromise,
    refused,
    stop: (force = false) => end(force),
  }
}

/** Once this many characters of output are stored as the possible error of a sandbox, no more are added. */
const maxErrorChars = 4_096

const returnError = (error: unknown) => error

async function openOn(plan: SpawnPlan, command: TerminalCommand, sandbox: SandboxedStart | undefined) {
  try {
    const at = monotonicNow()
    return { terminal: command.open(plan, command), at }
  } catch (error) {
    await sandbox?.leave({ stopped: true, errors: '' })
    throw error
  } finally {
    for (const file of [sandbox?.status, sandbox?.filter]) if (file !== undefined) closeSync(file)
  }
}

/**
 * Returns a plan that wraps the program in a shell, which opens the files of the sandbox. A terminal
 * passes on only three descriptors, so they cannot be passed open. Without a status file, returns
 * the plan unchanged.
 */
function withStatusFile({ plan, statusFile, filterFile }: SandboxedStart): SpawnPlan {
  if (statusFile === undefined) return plan
  const filter = filterFile === undefined ? '' : 'exec 4<"$1"; '
  const script = `exec 3>"$0"; ${filter}shift; exec "$@"`
  const args = ['-c', script, statusFile, filterFile ?? '', plan.file, ...plan.args]
  return { ...plan, file: '/bin/sh', args }
}
