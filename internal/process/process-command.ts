// What can be asked of the process runner, and what comes back.
import type { Readable, Writable } from 'node:stream'

export interface ProcessCommand {
  file: string
  args: readonly string[]
  cwd: string
  /** The child's whole environment; absent: the runner's allow list (see environment.ts). */
  env?: Readonly<Record<string, string>>
  /** Added to whichever of the two applies. */
  extraEnv?: Readonly<Record<string, string>>
  /** Standard input; absent: /dev/null. */
  input?: string | Uint8Array
  timeoutMs?: number
  signal?: AbortSignal
  /** Bytes of each stream kept, head and tail, in memory; default 1 MiB. More is counted, not kept. */
  keepBytes?: number
  /**
   * The program is known to start no others (a search, a lister): its output needs no named pipes, and
   * nothing is looked for after its exit.
   */
  childless?: boolean
  /** Keeps what memory does not hold in a file, so that `CommandOutcome.whole` can give all of it. */
  whole?: boolean
  /** Every chunk in order of arrival, before anything is dropped. Must not throw. */
  onOutput?: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void
}

export interface CapturedOutput {
  /** What the child wrote, in bytes. */
  bytes: number
  /** What was kept, decoded as UTF-8, with a line `… N bytes left out …` where something is missing. */
  text: string
  /** True when bytes were left out. */
  cut: boolean
  /** True when invalid UTF-8 was replaced. */
  invalid: boolean
}

/** Everything a command wrote, both streams in order of arrival; past 64 MiB the middle is missing. */
export interface SpooledOutput {
  bytes: number
  /** True when even the file did not take everything. */
  cut: boolean
  /** Decoded pieces in order, with a line `… N bytes left out …` where something is missing. */
  text(): AsyncIterable<string>
  /** Ends the claim on the file; closing the runner does so too. */
  remove(): void
}

export interface CommandOutcome {
  /** null when ended by a signal. */
  exit: number | null
  signal: string | null
  /** Why the runner ended it, if it did. */
  ended: 'timeout' | 'cancelled' | undefined
  ms: number
  stdout: CapturedOutput
  stderr: CapturedOutput
  /** Both streams in order of arrival; decoded when first looked at. */
  readonly combined: CapturedOutput
  /** Present when `whole` was asked for and `combined` is cut. */
  whole: SpooledOutput | undefined
  /** Descendants that outlived the command and were killed. */
  leaked: number
  /** True when the output was let go of before its end: somebody out of reach still holds it. */
  torn: boolean
}

/**
 * Runs one command to its end. Rejects with FailureError `not_found` when the program or the directory does
 * not exist, `io` when the system cannot start it, `bad_args` for a NUL in an argument, `too_large` for too
 * long ones.
 */
export type RunCommand = (command: ProcessCommand) => Promise<CommandOutcome>

/** A child that lives until it ends or is stopped: language servers, MCP servers, plugins. */
export interface OwnedProcess {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves, never rejects, when the child itself has ended; its descendants are then being ended. */
  readonly exited: Promise<{ exit: number | null; signal: string | null }>
  /**
   * TERM, KILL after two seconds, then every descendant. Resolves when nothing is left; may be called twice.
   */
  stop(): Promise<void>
}

/** Starts a child that keeps running. Rejects like Run. Input, time limits and capturing are the caller's. */
export type SpawnProcess = (
  command: Pick<ProcessCommand, 'file' | 'args' | 'cwd' | 'env' | 'extraEnv' | 'signal'>,
) => Promise<OwnedProcess>

/** What is about to be started, complete. */
export interface SpawnPlan {
  file: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
}

/**
 * Wraps a start into a wall, for example bubblewrap. Must keep `ANODE_RUN` in the environment of what it
 * starts.
 */
export type ProcessSandbox = (plan: SpawnPlan) => SpawnPlan
