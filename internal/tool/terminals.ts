// The terminal capability: shells on separate terminals that last from call to call.
import type { SandboxRequest } from '../process/process-command.ts'

interface TerminalOrder {
  /** The shell's path (a relative one from `cwd`), or its name in PATH. */
  shell: string
  cwd: string
  env: Readonly<Record<string, string>>
  sandbox: SandboxRequest
  rows: number
  columns: number
}

export interface TerminalState {
  id: string
  pid: number
  /** The directory in which the terminal was started. */
  cwd: string
  shell: string
  alive: boolean
  /** Exit code of the shell; null while it runs, if a signal ended it, and after a `kill` with `force`. */
  returncode: number | null
}

/** The state of a terminal that decides the effect of typed text. */
interface TypedInput {
  /** Directory of a POSIX shell that waits for a command; undefined in any other state. */
  folder: string | undefined
  /** Text that was typed earlier for the same command, which is still incomplete. */
  typed: string
}

interface TakenOutput {
  text: string
  /** Number of characters of the output that are still unread. */
  remaining: number
  /** Number of characters of the output that were lost since the last read. */
  dropped: number
}

export interface TerminalTable {
  /** Starts a terminal. Rejects with FailureError `unavailable`, `not_found`, `limit_reached` or `io`. */
  start(order: TerminalOrder): Promise<TerminalState>
  /**
   * Returns the terminal with this id; undefined for an unknown or killed one, and for an ended one that a
   * later start has dropped.
   */
  find(id: string): TerminalState | undefined
  list(): TerminalState[]
  lookAtInput(id: string): TypedInput
  /** Types text into a terminal. `isWhole` returns true if the typed text is a complete command. */
  write(id: string, text: string, isWhole: (typed: string) => Promise<boolean>): Promise<void>
  /**
   * Sends Ctrl-C to a terminal: interrupts the foreground program. The typed part of a command is cleared
   * when the shell drops it, so a shell that ignores Ctrl-C keeps it. Resolves once that has happened, there
   * is unread output of another program, the shell has ended or `signal` aborts, at the latest after
   * `firstOutputMs`.
   */
  interrupt(id: string, firstOutputMs: number, signal: AbortSignal): Promise<void>
  /**
   * Waits until the time is over, the shell has ended, `signal` aborts or `maxChars` characters are unread.
   * Then returns at most `maxChars` characters of the unread output.
   */
  read(id: string, wait: { ms: number; maxChars: number; signal: AbortSignal }): Promise<TakenOutput>
  /**
   * Ends a terminal and removes it from the table. Sends the signals TERM and HUP to its processes and all
   * descendants, and KILL at most two seconds later, or at once with `force`.
   */
  kill(id: string, force: boolean): Promise<TerminalState>
}

/** Access to the terminals of one session. */
export interface SessionTerminals {
  open(): Promise<TerminalTable>
  /** The terminals of the session; undefined until `open` has resolved for the first time. */
  readonly opened: TerminalTable | undefined
}
