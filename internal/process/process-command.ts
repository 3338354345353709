// The requests to the process runner and their results.
import type { Readable, Writable } from 'node:stream'
import type { PathLink } from '../base/files/path-links.ts'

/** Shows the user the name of a process until its start has ended. Returns the same promise. */
export type ShowStart = <T>(name: string, start: Promise<T>) => Promise<T>

export interface ProcessCommand {
  file: string
  args: readonly string[]
  cwd: string
  /** The whole environment of the child. Default: the allow list of child-environment.ts. */
  env?: Readonly<Record<string, string>>
  /** Variables that are added to `env` or to the allow list. */
  extraEnv?: Readonly<Record<string, string>>
  /** Standard input. Default: /dev/null. */
  input?: string | Uint8Array
  timeoutMs?: number
  signal?: AbortSignal
  /**
   * Bytes of each stream stored in memory, from its start and end. Default: 1 MiB. Further bytes
   * are only counted.
   */
  keepBytes?: number
  /**
   * True if the program starts no others (a search, a lister). Its output then needs no named pipes, and no
   * search for descendants follows its exit.
   */
  childless?: boolean
  /** True to store further output in a file, so that `CommandOutcome.whole` has all of it. */
  whole?: boolean
  /** Name of a file in its TMPDIR that is read into `CommandOutcome.report` at its end and removed. */
  report?: string
  /** Access to the machine. Default: everything, only for Anode's own programs. */
  sandbox?: SandboxRequest
  /** Receives every chunk in order of arrival, before any is dropped. Must not throw. */
  onOutput?: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void
}

export interface CapturedOutput {
  /** Number of bytes that the child wrote. */
  bytes: number
  /** The stored bytes, decoded as UTF-8, with a line `… N bytes left out …` at a gap. */
  text: string
  /** True if bytes were left out. */
  cut: boolean
  /** True if invalid UTF-8 was replaced. */
  invalid: boolean
}

/**
 * The complete output of a command, both streams in order of arrival. If it is over 64 MiB, its
 * middle is missing.
 */
export interface SpooledOutput {
  bytes: number
  /** True if the file did not take everything either. */
  cut: boolean
  /** Returns the decoded pieces in order, with a line `… N bytes left out …` at a gap. */
  text(): AsyncIterable<string>
  /** Removes the file. Closing the runner removes it too. */
  remove(): void
}

export interface CommandOutcome {
  /** Exit code; null if a signal ended the process. */
  exit: number | null
  signal: string | null
  /** The reason why the runner ended it, if it did. */
  ended: 'timeout' | 'cancelled' | undefined
  ms: number
  stdout: CapturedOutput
  stderr: CapturedOutput
  /** Both streams in order of arrival, decoded on first access. */
  readonly combined: CapturedOutput
  /** Set if the command had `whole` and `combined` is truncated. */
  whole: SpooledOutput | undefined
  /** Number of descendants that outlived the command and were killed. */
  leaked: number
  /**
   * True if reading stopped before the end of the output, because an unreachable process still has it open.
   */
  torn: boolean
  /** Content of the file `report`, if the command wrote it. */
  report?: string
  /** Set if the command ran in a sandbox. */
  sandbox?: SandboxReport
}

/**
 * Runs one command to its end. Rejects with FailureError `not_found` if the program or the directory does not
 * exist, and `io` if the system cannot start it. `bad_args` means a NUL in an argument, `too_large` arguments
 * that are too long.
 */
export type RunCommand = (command: ProcessCommand) => Promise<CommandOutcome>

/** A program that starts commands in place of this process, such as an editor with terminals. */
export interface CommandHost {
  /**
   * Starts a command. Resolves to undefined, with nothing started, if the host has no terminals. Rejects with
   * FailureError `io` if it refuses or does not answer. `call` is the tool call of the command.
   */
  start(
    plan: Pick<SpawnPlan, 'file' | 'args' | 'cwd'>,
    more: { call: string; maxBytes: number; signal: AbortSignal },
  ): Promise<HostedCommand | undefined>
}

export interface HostedCommand {
  /** Rejects with FailureError `io` if the host cannot report the end. */
  readonly exited: Promise<{ exit: number | null; signal: string | null }>
  /** Returns both streams; of a longer output, its end. Rejects with FailureError `io`. */
  readOutput(): Promise<{ text: string; isTruncated: boolean }>
  /** Requests that the host end the command. Never rejects. */
  kill(): Promise<void>
  /** Releases the command, which ends it if it still runs. Never rejects. */
  release(): Promise<void>
}

/** A child that runs until it exits or is stopped: language servers, MCP servers, plugins. */
export interface OwnedProcess {
  readonly pid: number
  /** True if the child runs in a sandbox, where it cannot see Anode's processes. */
  readonly isSandboxed: boolean
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves, never rejects, when the child itself has exited. Its descendants may still be ending. */
  readonly exited: Promise<{ exit: number | null; signal: string | null }>
  /**
   * Sends TERM, KILL after two seconds, then ends every descendant. Resolves when no process is left. May
   * be called twice.
   */
  stop(): Promise<void>
}

/**
 * Starts a child that keeps running. Rejects like `RunCommand`. The caller handles input, time
 * limits and output.
 */
export type SpawnProcess = (
  command: Pick<ProcessCommand, 'file' | 'args' | 'cwd' | 'env' | 'extraEnv' | 'signal' | 'sandbox'>,
) => Promise<OwnedProcess>

/** Everything that a start needs. */
export interface SpawnPlan {
  file: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
}

/**
 * `read`: only a private TMPDIR is writable. `workspace`: the directories of the request are writable.
 * `measure`: only the files of `measured` exist. `server`: like `read`, for programs that keep running, each
 * with its own TMPDIR.
 */
type SandboxKind = 'read' | 'workspace' | 'measure' | 'server'

/** The files of a measured command. */
export interface MeasuredPlaces {
  /** Directory that replaces the temporary directories. The caller creates, empties and removes it. */
  temporary: string
  /** Real path of the checkout, and the path at which it is shown. */
  checkout: { source: string; path: string }
  /** Files of the checkout that stay as they are, relative to it. */
  locked: readonly string[]
  /** Real paths anywhere that stay readable. */
  shown: readonly string[]
  /** Files and directories that are shown empty. */
  hidden: readonly string[]
  /** File that the command gets open for appending as descriptor 4. */
  channel?: string | undefined
}

/** Paths that permission rules close to reading. */
export interface ClosedPaths {
  covers(path: string): boolean
  /** Returns false for a directory that cannot contain a closed path. */
  mayContain(dir: string): boolean
}

/** The access of one start in its sandbox. All paths are real. */
export interface SandboxRequest {
  kind: SandboxKind
  /** The workspace, then the added directories. */
  folders: readonly string[]
  /** Links that lead into `folders`, created again if their parent directory is hidden. */
  links?: readonly PathLink[]
  /** Directories anywhere that stay read-only. */
  protected: readonly string[]
  /** `name` or `name:port`. Without a port: 80 and 443. */
  network: readonly string[]
  /** Paths outside `folders` that may be written. */
  write: readonly string[]
  /** Files with secret names below `folders` that stay readable. */
  revealed: readonly string[]
  /** Files and directories below `folders` that are shown empty. Default: none. */
  closed?: ClosedPaths | undefined
  /** True if `SandboxReport.tracked` includes files of past commits, which requires a start of git. */
  searchesHistory?: boolean
  /** Paths that decide which programs run later, but that may be written. */
  opened: readonly string[]
  /** True if the command outlives the call that starts it. */
  lasts?: boolean
  /** True if the changes of the command are reported. */
  records?: boolean
  /** True if the history of the repository may be written. */
  history: boolean
  /** Paths of the sandbox `measure`. Set only for this kind. */
  measured?: MeasuredPlaces
  /** Directory for caches and state of the sandbox `server`, which `write` contains as well. */
  state?: string
  /** True if the child keeps the terminal that it starts on, which no other program uses. */
  terminal?: boolean
}

/** A file as the system describes it. */
export interface FileStamp {
  ino: number
  size: number
  mtimeMs: number
  ctimeMs: number
  mode: number
}

/** A file that a sandboxed command has changed, created or removed. */
export interface FileChange {
  path: string
  /**
   * State before the command; null if the file did not exist. `from`: its bytes, or the store that has them.
   */
  before: { mode: number; size: number; from: Uint8Array | 'git' | 'nothing' } | null
}

/** The report of a sandbox after its end. */
export interface SandboxReport {
  /** Changed files, and the index of git before the command. Set if the request had `records`. */
  changes?: { files: readonly FileChange[]; index: Uint8Array | undefined; all: boolean }
  /** Accesses that it is known to have refused, each in a few words. */
  refused: readonly string[]
  /** Files with secret names whose content it replaced, each reported once in a session. */
  hidden?: readonly string[] | undefined
  /** One line about files with secret names in git's history, equal for every command. */
  tracked?: string
  /** Reason why the sandbox itself failed while the command ran. */
  broken?: string
}

/** The end of a command in a sandbox. */
export interface SandboxedEnd {
  /** True if the runner ended the command. */
  stopped: boolean
  /** True if its exit code was not 0. */
  failed?: boolean
  /** Standard error of the command. */
  errors: string
  /** Standard output of the command. */
  output?: string
}

/** A start in a sandbox: the plan to start instead, and how to leave the sandbox. */
export interface SandboxedStart {
  plan: SpawnPlan
  /** Open file for the state of the sandbox, passed to it as descriptor 3. The caller closes it. */
  status?: number
  /**
   * Path of that file, for starts that cannot pass on descriptors. Undefined if the sandbox has no process
   * outside the command.
   */
  statusFile?: string
  /** Open file with the filter of system calls, passed on as descriptor 4. The caller closes it. */
  filter?: number
  /** Path of that file, as for `statusFile`. */
  filterFile?: string
  /** Leaves the sandbox. Call it once, after the end. */
  leave(end: SandboxedEnd): Promise<SandboxReport>
}

/**
 * Wraps a start in a sandbox. Must keep `ANODE_RUN` in the environment of the child. `directory` is for files
 * of this run, `number` identifies the child. Resolves to undefined if commands run without a sandbox.
 * Rejects with FailureError if a sandbox is required but not possible.
 */
export type ProcessSandbox = (
  plan: SpawnPlan,
  start: { sandbox: SandboxRequest; directory: string; number: number },
) => Promise<SandboxedStart | undefined>
