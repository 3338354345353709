// Runners of commands, and the run of one command to its end, with limits on time and memory.
import { setMaxListeners } from 'node:events'
import { lstatSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { EnvironmentVariables } from '../base/environment.ts'
import { FailureError } from '../base/errors.ts'
import { monotonicNow } from '../base/time-limit.ts'
import { type ChildExit, cleanUpChild, endChild } from './child-end.ts'
import { ChildOwner, childFile } from './child-owner.ts'
import { type StartContext, type StartedChild, startChild } from './child-start.ts'
import { captureOutput, combineOutput } from './output/combined-output.ts'
import { spawnOwned } from './owned-process.ts'
import { type OpenTerminal, spawnTerminal } from './owned-terminal.ts'
import type {
  CapturedOutput,
  CommandOutcome,
  ProcessCommand,
  ProcessSandbox,
  RunCommand,
  SpawnProcess,
} from './process-command.ts'

export const keepDefault = 1024 * 1024

/** Largest number of starts of a command whose sandbox failed because a path vanished. */
const maxStarts = 6

/**
 * Runs one command as `RunCommand` describes. An abort of `closing` ends the command like an
 * abort of `command.signal`.
 */
const runCommand = (
  context: StartContext,
  command: ProcessCommand,
  closing: AbortSignal,
): Promise<CommandOutcome> => startRepeatedly(() => runOnce(context, command, closing))

/**
 * Returns the result of `start`. If a path that the sandbox needs has vanished, `start` is called again, at
 * most `maxStarts` times in total.
 */
export async function startRepeatedly<T>(start: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await start()
    } catch (error) {
      const isVanished = error instanceof FailureError && error.failure.detail?.['vanished'] === true
      if (!isVanished || tried === maxStarts) throw error
    }
  }
}

async function runOnce(
  context: StartContext,
  command: ProcessCommand,
  closing: AbortSignal,
): Promise<CommandOutcome> {
  const began = monotonicNow()
  const { haste } = context.owner
  const signals = command.signal ? [command.signal, closing] : [closing]
  if (signals.some((signal) => signal.aborted)) return neverStarted()
  const child = await startChild(context, command)
  const output = collectOutput(child, command)
  const stop = watchLimits(() => endChild(child, { haste }), command.timeoutMs, signals)
  const exit = await Promise.race([child.exited, stop.ended])
  stop.release()
  const cleanUpResult = await cleanUpChild(child, stop.asked, haste, command.childless)
  const { stdout, stderr, joined } = output
  joined.finish()
  const errors = stderr.captured()
  const report = readReport(child.temporary, command.report)
  const printed = stdout.captured()
  const sandbox = await child.sandbox?.leave({
    stopped: stop.why !== undefined,
    failed: exit.exit !== 0,
    errors: errors.text,
    output: printed.text,
  })
  let combined: CapturedOutput | undefined
  return {
    ...exit,
    ended: stop.why,
    ms: Math.round(monotonicNow() - began),
    stdout: printed,
    stderr: errors,
    get combined() {
      combined ??= joined.capture.captured()
      return combined
    },
    whole: joined.whole(),
    ...cleanUpResult,
    report,
    sandbox,
  }
}

/** Largest report file in bytes that is read. A larger file is not the report of a command. */
const maxReportBytes = 1 << 20
/**
 * Number of bytes that are read from the end of a longer report. The report is the file in TMPDIR that
 * `ProcessCommand.report` names and the command writes.
 */
const keptReportBytes = 4096

export function readReport(temporary: string | undefined, name: string | undefined): string | undefined {
  if (name === undefined || temporary === undefined) return undefined
  const path = join(temporary, name)
  try {
    // The report could be a link that leads out of the sandbox, so its own kind is checked.
    const stats = lstatSync(path)
    if (!stats.isFile() || stats.size > maxReportBytes) return undefined
    return readFileSync(path).subarray(-keptReportBytes).toString('utf8')
  } catch {
    return undefined
  } finally {
    rmSync(path, { force: true, recursive: true })
  }
}

function collectOutput(child: StartedChild, command: ProcessCommand) {
  const keep = command.keepBytes ?? keepDefault
  const captures = { stdout: captureOutput(keep), stderr: captureOutput(keep) }
  const joined = combineOutput(
    keep,
    command.whole ? childFile(child.directory, child.number, 'output') : undefined,
  )
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk: Uint8Array) => {
      captures[stream].push(chunk)
      joined.push(chunk, stream)
      command.onOutput?.(chunk, stream)
    })
    // A reset pipe counts as ended, because the exit of the command reports the reason.
    child[stream].on('error', () => child[stream].destroy())
  }
  return { ...captures, joined }
}

/**
 * Calls `end` when the time is over or a signal aborts. In the result, `ended` resolves only then, and
 * `release` removes timer and listeners.
 */
export function watchLimits(
  end: () => Promise<ChildExit>,
  timeoutMs: number | undefined,
  signals: readonly AbortSignal[],
) {
  let resolve: (exit: ChildExit | Promise<ChildExit>) => void
  const endPromise = new Promise<ChildExit>((settled) => {
    resolve = settled
  })
  const state = {
    why: undefined as CommandOutcome['ended'],
    asked: undefined as number | undefined,
    ended: endPromise,
    release,
  }
  const stop = (why: 'timeout' | 'cancelled') => {
    if (state.why !== undefined) return
    state.why = why
    state.asked = monotonicNow()
    resolve(end())
  }
  const abort = () => stop('cancelled')
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(() => stop('timeout'), Math.min(timeoutMs, 2 ** 31 - 1))
  // Each running command adds one listener to these signals and removes it later, so Node must not
  // warn about many.
  setMaxListeners(0, ...signals)
  for (const signal of signals) signal.addEventListener('abort', abort, { once: true })
  if (signals.some((signal) => signal.aborted)) abort()
  function release() {
    clearTimeout(timer)
    for (const signal of signals) signal.removeEventListener('abort', abort)
  }
  return state
}

export function neverStarted(): CommandOutcome {
  const nothing: CapturedOutput = { bytes: 0, text: '', cut: false, invalid: false }
  return {
    exit: null,
    signal: null,
    ended: 'cancelled',
    ms: 0,
    stdout: nothing,
    stderr: nothing,
    combined: nothing,
    whole: undefined,
    leaked: 0,
    torn: false,
  }
}

export interface ProcessRunner {
  run: RunCommand
  spawn: SpawnProcess
  terminal: OpenTerminal
  /**
   * Runs `work`, which starts processes, and returns its result. `close` aborts the signal `closing` and
   * waits for the work.
   */
  perform<T>(work: (context: StartContext, closing: AbortSignal) => Promise<T>): Promise<T>
  /** Gives processes less time between TERM and KILL, because the user waits for their end. */
  hurry(): void
  /**
   * Ends running processes as cancelled; later starts fail as cancelled. Removes the directory of this
   * process for its children, and the watchdog that would end them after a crash. With a shared `owner`,
   * removes only the TMPDIR of the runner.
   */
  close(): Promise<void>
}

export interface RunnerOptions {
  /**
   * Data directory. Its directory `run/` contains the records and output files of running Anode processes,
   * and those of dead ones until the next cleanup.
   */
  dataDir: string
  /** Environment from which the allow list selects the variables for children. */
  env: EnvironmentVariables
  /**
   * Names, or prefixes ending in `*`, of variables that children get even if these are not on the allow list,
   * and even if they look like secrets.
   */
  keep?: readonly string[]
  sandbox?: ProcessSandbox
  /**
   * Resources for the children of several runners. Default: resources of this runner, which `close` removes.
   * A shared owner stays open, and its children do not share their TMPDIR with those of other runners.
   */
  owner?: ChildOwner | undefined
}

/** Creates a runner, which uses no resources until the first command. */
export function createRunner(options: RunnerOptions): ProcessRunner {
  const { dataDir, env, keep = [], sandbox, owner = new ChildOwner(dataDir) } = options
  const temporary = options.owner ? `tmp-${owner.number()}` : 'tmp'
  const context: StartContext = { owner, env, keep, sandbox, temporary }
  const closing = new AbortController()
  const live = new Set<Promise<unknown>>()

  const track = <T>(work: Promise<T>): Promise<T> => {
    const entry: Promise<unknown> = work.catch(() => undefined).finally(() => live.delete(entry))
    live.add(entry)
    return work
  }
  return {
    run: (command) => track(runCommand(context, command, closing.signal)),
    spawn: (command) => track(spawnOwned(context, command, closing.signal)),
    terminal: async (command) => {
      const terminal = await track(spawnTerminal(context, command, closing.signal))
      void track(terminal.gone)
      return terminal
    },
    perform: (work) => track(work(context, closing.signal)),
    hurry: () => context.owner.haste.hurry(),
    async close() {
      closing.abort()
      await Promise.all(live)
      await (options.owner ? owner.remove(temporary) : owner.close())
    },
  }
}
