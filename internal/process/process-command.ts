// The requests to the process runner and their results.
import type { Readable, Writable } from 'node:stream'
import type { PathLink } from '../base/files/path-links.ts'

/** Shows the name of a process to the user until `start` has settled. Returns the same promise. */
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
   * Largest number of bytes of each stream that stay in memory, half of them from each end. Default: 1 MiB.
   * Further bytes are only counted.
   */
  keepBytes?: number
  /**
   * True if the program starts no others (a search, a lister). Its output then needs no named pipes, and no
   * search for descendants follows if it exits by itself.
   */
  childless?: boolean
  /** True to store further output in a file, so that `CommandOutcome.whole` has all of it. */
  whole?: boolean
  /**
   * Name of a file in the TMPDIR of the command. At the end of the command the last 4096 bytes of the file
   * are read into `CommandOutcome.report`, and the file is removed.
   */
  report?: string
  /** What the command may access. Default: everything, which is only for Anode's own programs. */
  sandbox?: SandboxRequest
  /** Receives every chunk in order of arrival, before any is dropped. Must not throw. */
  onOutput?: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void
}

export interface CapturedOutput {
  /** Number of bytes that the child wrote. */
  bytes: number
  /** Stored bytes as UTF-8; a line `… N bytes left out …` replaces bytes that were not stored. */
  text: string
  /** True if some bytes were not stored. */
  cut: boolean
  /** True if the output contained invalid UTF-8, which was replaced by U+FFFD. */
  invalid: boolean
}

/**
 * The output of a command, both streams in order of arrival. Its middle is missing if it is over about 64
 * MiB, or if the file could not be written.
 */
export interface SpooledOutput {
  bytes: number
  /** True if some bytes of the output are neither in the file nor in memory. */
  cut: boolean
  /** Returns the decoded pieces in order, with a line `… N bytes left out …` at a gap. */
  text(): AsyncIterable<string>
  /** Removes the file. Closing the runner removes it too. */
  remove(): void
}

export interface CommandOutcome {
  /** Exit code of the command; null if a signal ended it or it never started. */
  exit: number | null
  signal: string | null
  /** Why the runner ended the command; undefined if it did not. */
  ended: 'timeout' | 'cancelled' | undefined
  ms: number
  stdout: CapturedOutput
  stderr: CapturedOutput
  /** Both streams of output in order of arrival, decoded when this field is first read. */
  readonly combined: CapturedOutput
  /** The whole output. Set if `ProcessCommand.whole` was set and `combined` is truncated. */
  whole: SpooledOutput | undefined
  /** Number of processes that the command left running and that were killed. */
  leaked: number
  /**
   * True if reading stopped before the end of the output, because a process that was not found still has it
   * open, or because output still arrived two seconds after the exit.
   */
  torn: boolean
  /** End of the file `report`; undefined if it is missing, over 1 MiB or not a regular file. */
  report?: string
  /** Set if the command ran in a sandbox. */
  sandbox?: SandboxReport
}

/**
 * Runs one command to its end. Rejects with FailureError `not_found` if the program or the directory does not
 * exist, and `io` if the system cannot start it. `bad_args` means a NUL in an argument or a variable,
 * `too_large` arguments that are too long. Rejects also like `ProcessSandbox`.
 */
export type RunCommand = (command: ProcessCommand) => Promise<CommandOutcome>

/** A program that starts commands in place of this process, such as an editor that has its own terminals. */
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
  /** Returns both streams; of an output over `maxBytes`, only the end. Rejects with FailureError `io`. */
  readOutput(): Promise<{ text: string; isTruncated: boolean }>
  /** Asks the host to end the command. Never rejects. */
  kill(): Promise<void>
  /** Releases the command, which ends it if it still runs. Never rejects. */
  release(): Promise<void>
}

/** A child process that runs until it exits or is stopped: a language server, an MCP server, a plugin. */
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
 * Starts a child that keeps running. Rejects like `RunCommand`, and with `cancelled` after an abort. The
 * caller handles input, time limits and output.
 */
export type SpawnProcess = (
  command: Pick<ProcessCommand, 'file' | 'args' | 'cwd' | 'env' | 'extraEnv' | 'signal' | 'sandbox'>,
) => Promise<OwnedProcess>

/** What the system has to start: program, arguments, directory and environment. */
export interface SpawnPlan {
  file: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
}

/**
 * `read`: only a private TMPDIR is writable. `workspace`: the directories of the request are writable.
 * `measure`: only the files of `measured` exist. `server`: like `read`, for programs that keep running, each
 * with its own TMPDIR. Except in `measure`, the paths in `write` are writable as well.
 */
type SandboxKind = 'read' | 'workspace' | 'measure' | 'server'

/** The files that a command of the sandbox `measure` can access. */
export interface MeasuredPlaces {
  /** Directory that replaces the temporary directories. The caller creates, empties and removes it. */
  temporary: string
  /** The checkout: its real path, and the path at which the command sees it. */
  checkout: { source: string; path: string }
  /** Paths of the checkout, relative to it, that the command cannot change. */
  locked: readonly string[]
  /** Real paths outside the checkout that the command can read. */
  shown: readonly string[]
  /** Files and directories that the command sees as empty. */
  hidden: readonly string[]
  /** File that the command gets as descriptor 4, open for appending. */
  channel?: string | undefined
}

/** Paths that permission rules forbid to read. */
export interface ClosedPaths {
  covers(path: string): boolean
  /** Returns false if the directory certainly contains no forbidden path. */
  mayContain(dir: string): boolean
}

/** What one command may access in its sandbox. All paths are real paths. */
export interface SandboxRequest {
  kind: SandboxKind
  /** The workspace, then the directories that the user added to it. */
  folders: readonly string[]
  /** Links that lead into `folders`. They exist in the sandbox even if their directory is hidden. */
  links?: readonly PathLink[]
  /** Directories anywhere that the command may not write. */
  protected: readonly string[]
  /** Hosts that may be reached: `name` or `name:port`. Without a port, ports 80 and 443 are open. */
  network: readonly string[]
  /** Paths outside `folders` that the command may write. */
  write: readonly string[]
  /** Files outside `folders` in whose place the command sees and writes a copy. Default: none. */
  copies?: readonly { path: string; source: string }[]
  /** Files below `folders` that have secret names and that the command may still read. */
  revealed: readonly string[]
  /** Files and directories below `folders` that the command sees as empty. Default: none. */
  closed?: ClosedPaths | undefined
  /** True if `SandboxReport.tracked` includes files of past commits, which requires a start of git. */
  searchesHistory?: boolean
  /** Paths that may be written although they decide which programs run later, such as settings of git. */
  opened: readonly string[]
  /** True if the command continues to run after the call that starts it. */
  lasts?: boolean
  /** True if the report of the sandbox lists the files that the command changed. */
  records?: boolean
  /** True if the command may write the history of the repository. */
  history: boolean
  /** Paths of the sandbox `measure`. Set only for this kind. */
  measured?: MeasuredPlaces
  /** Directory for the caches and state of a server in the sandbox `server`. `write` contains it as well. */
  state?: string
  /** True if the child keeps the terminal on which it starts, because no other program uses that terminal. */
  terminal?: boolean
}

/** Inode, kind, mode, size and times of a file, as the system reports them. */
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
   * State of the file before the command; null if it did not exist. `from` is the old bytes, `git` if the
   * repository has them, or `nothing` if they are lost.
   */
  before: { mode: number; size: number; from: Uint8Array | 'git' | 'nothing' } | null
}

/** The report of a sandbox after its end. */
export interface SandboxReport {
  /**
   * Changed files, and the index of git before the command. Set if the request had `records`. `all` is false
   * if changes may be missing.
   */
  changes?: { files: readonly FileChange[]; index: Uint8Array | undefined; all: boolean }
  /** Accesses that the sandbox is known to have refused, each described in a few words. */
  refused: readonly string[]
  /** Files with secret names whose content the sandbox replaced, except those that it reported before. */
  hidden?: readonly string[] | undefined
  /** One line about files with secret names in git's history; the line is the same for every command. */
  tracked?: string
  /** Reason why the sandbox itself failed while the command ran. */
  broken?: string
}

/** How a command in a sandbox ended, which the sandbox needs for its report. */
export interface SandboxedEnd {
  /** True if the runner ended the command. */
  stopped: boolean
  /** True if the exit code of the command was not 0. */
  failed?: boolean
  /** Standard error of the command; for a command on a terminal, the beginning of its output. */
  errors: string
  /** Standard output of the command. */
  output?: string
}

/** A start in a sandbox: the new plan, and the function to call once the command has ended. */
export interface SandboxedStart {
  plan: SpawnPlan
  /** Descriptor of the sandbox's state file, passed on as descriptor 3. The caller closes it. */
  status?: number
  /**
   * Path of the file for the state of the sandbox, for starts that cannot pass on descriptors. Undefined if
   * the sandbox has no process outside the command.
   */
  statusFile?: string
  /** Descriptor of the filter of system calls, passed on as descriptor 4. The caller closes it. */
  filter?: number
  /** Path of the file with the filter, for starts that cannot pass on descriptors. */
  filterFile?: string
  /** Ends the sandbox after the command and resolves to its report; rejects if nothing ran. Call it once. */
  leave(end: SandboxedEnd): Promise<SandboxReport>
}

/**
 * Wraps a start in a sandbox. Must keep `ANODE_RUN` in the environment of the child. `directory` is for files
 * of this Anode process; `temporary` (default: `tmp`) is the name of the temporary directory in it. `number`
 * identifies the child. Resolves to undefined if commands run without a sandbox. Rejects with FailureError if
 * a sandbox is required but not possible.
 */
export type ProcessSandbox = (
  plan: SpawnPlan,
  start: { sandbox: SandboxRequest; directory: string; number: number; temporary?: string },
) => Promise<SandboxedStart | undefined>
