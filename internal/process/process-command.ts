// What can be asked of the process runner, and what comes back.
import type { Readable, Writable } from 'node:stream'
import type { PathLink } from '../base/files/path-links.ts'

/** Has the person see by name what is being started, until that has ended; gives back the same promise. */
export type ShowStart = <T>(name: string, start: Promise<T>) => Promise<T>

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
  /** Name of a file in its TMPDIR that is read into `CommandOutcome.report` at its end, and removed. */
  report?: string
  /** What it may reach of the machine; absent: everything, which is for Anode's own programs only. */
  wall?: WallRequest
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
  /** Content of the file that `report` names, where the command has written it. */
  report?: string
  /** Present when the command ran behind a wall. */
  wall?: WallReport
}

/**
 * Runs one command to its end. Rejects with FailureError `not_found` when the program or the directory does
 * not exist, `io` when the system cannot start it, `bad_args` for a NUL in an argument, `too_large` for too
 * long ones.
 */
export type RunCommand = (command: ProcessCommand) => Promise<CommandOutcome>

/** A program that starts commands in the place of this process, such as an editor with terminals. */
export interface CommandHost {
  /**
   * Resolves to undefined, with nothing started, if it has no terminals. Rejects with FailureError `io` if it
   * refuses or does not answer. `call` is the tool call that the command belongs to.
   */
  start(
    plan: Pick<SpawnPlan, 'file' | 'args' | 'cwd'>,
    more: { call: string; maxBytes: number; signal: AbortSignal },
  ): Promise<HostedCommand | undefined>
}

export interface HostedCommand {
  /** Rejects with FailureError `io` if the host cannot report the end. */
  readonly exited: Promise<{ exit: number | null; signal: string | null }>
  /** Both streams, the end of a longer output. Rejects with FailureError `io`. */
  readOutput(): Promise<{ text: string; isTruncated: boolean }>
  /** Asks the host to end the command. Never rejects. */
  kill(): Promise<void>
  /** Lets go of the command, which ends it if it still runs. Never rejects. */
  release(): Promise<void>
}

/** A child that lives until it ends or is stopped: language servers, MCP servers, plugins. */
export interface OwnedProcess {
  readonly pid: number
  /** Whether it runs behind a wall, where it sees no process of ours. */
  readonly isWalled: boolean
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
  command: Pick<ProcessCommand, 'file' | 'args' | 'cwd' | 'env' | 'extraEnv' | 'signal' | 'wall'>,
) => Promise<OwnedProcess>

/** What is about to be started, complete. */
export interface SpawnPlan {
  file: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
}

/**
 * `read`: nothing is written but a private TMPDIR; `workspace`: its folders are; `measure`: what `measured`
 * names is all there is of files; `server`: as `read`, for programs that live on, each with its own TMPDIR.
 */
type WallKind = 'read' | 'workspace' | 'measure' | 'server'

/** The files of a measured command. */
export interface MeasuredPlaces {
  /** Folder that stands where temporary folders are: made, emptied and removed by who asks. */
  temporary: string
  /** Real path of the checkout, and where it is shown. */
  checkout: { source: string; path: string }
  /** Files of the checkout that stay as they are, relative to it. */
  locked: readonly string[]
  /** Real paths that stay readable, wherever they lie. */
  shown: readonly string[]
  /** Files and folders that are shown empty. */
  hidden: readonly string[]
  /** File that the command finds open for appending as descriptor 4. */
  channel?: string | undefined
}

/** What permission rules close to reading. */
export interface ClosedPaths {
  covers(path: string): boolean
  /** False for a directory below which nothing can be closed. */
  mayContain(dir: string): boolean
}

/** What one start may reach behind its wall. All paths are real. */
export interface WallRequest {
  kind: WallKind
  /** The workspace, then the added folders. */
  folders: readonly string[]
  /** Links that lead into `folders`, laid again where what they lie in is hidden. */
  links?: readonly PathLink[]
  /** Folders that stay read-only wherever they lie. */
  protected: readonly string[]
  /** `name` or `name:port`; without a port 80 and 443. */
  network: readonly string[]
  /** Places outside of `folders` that may be written. */
  write: readonly string[]
  /** Files with secret names below `folders` that stay readable. */
  revealed: readonly string[]
  /** Files and directories below `folders` that are shown empty; absent: none. */
  closed?: ClosedPaths | undefined
  /** Whether `WallReport.tracked` has files of past commits too: git has to be started for them. */
  searchesHistory?: boolean
  /** Places that decide what runs later and may be written nevertheless. */
  opened: readonly string[]
  /** The command outlives the call that starts it. */
  lasts?: boolean
  /** Whether what the command changes is to be reported. */
  records?: boolean
  /** Whether the history of the repository may be written. */
  history: boolean
  /** For the wall `measure`. */
  measured?: MeasuredPlaces
  /** For the wall `server`: its own folder, for caches and state, among `write`. */
  state?: string
  /** The child keeps the terminal that it is started on, which is its own and nobody else's. */
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

/** A file that a walled command has changed, made or removed. */
export interface FileChange {
  path: string
  /** Null: it was not there. `from`: its bytes, or where they are. */
  before: { mode: number; size: number; from: Uint8Array | 'git' | 'nothing' } | null
}

/** What became of a wall. */
export interface WallReport {
  /** Present where it was asked for: what the command has changed, and the index of git from before. */
  changes?: { files: readonly FileChange[]; index: Uint8Array | undefined; all: boolean }
  /** What it refused, as far as that can be told, each in a few words. */
  refused: readonly string[]
  /** Files with secret names that it showed otherwise, each told once in a session. */
  hidden?: readonly string[] | undefined
  /** One line on files with secret names that git's history contains; the same for each command. */
  tracked?: string
  /** Set when the wall itself failed while the command ran: why. */
  broken?: string
}

/** How a command in a sandbox ended. */
export interface WalledEnd {
  /** Whether the runner ended it. */
  stopped: boolean
  /** Whether its exit code was not 0. */
  failed?: boolean
  /** What it wrote to standard error. */
  errors: string
  /** What it wrote to standard output. */
  output?: string
}

/** A start behind a wall: what to start instead, and how to leave. */
export interface WalledStart {
  plan: SpawnPlan
  /** Open file that the wall writes its state to, handed down as descriptor 3; closed by who starts. */
  status?: number
  /**
   * The same file by name, for starts that can hand down no descriptor. Absent where the wall is no process
   * of its own, but lies around the command's.
   */
  statusFile?: string
  /** Open file with the filter of system calls, handed down as descriptor 4; closed by who starts. */
  filter?: number
  /** The same file by name, as for `statusFile`. */
  filterFile?: string
  /** To be called once, after the end. */
  leave(end: WalledEnd): Promise<WallReport>
}

/**
 * Wraps a start into a wall. Must keep `ANODE_RUN` in the environment of what it starts. `directory` is for
 * files of this run, `number` the child's own. Resolves to undefined where commands run without a wall;
 * rejects with FailureError when there must be one and cannot.
 */
export type ProcessSandbox = (
  plan: SpawnPlan,
  start: { wall: WallRequest; directory: string; number: number },
) => Promise<WalledStart | undefined>
