// The terminal capability: shells on terminals of their own that last from call to call.
import type { WallRequest } from '../process/process-command.ts'

interface TerminalOrder {
  /** Absolute path, or a name that PATH has. */
  shell: string
  cwd: string
  env: Readonly<Record<string, string>>
  wall: WallRequest
  rows: number
  columns: number
}

export interface TerminalState {
  id: string
  pid: number
  /** The folder that it was started in. */
  cwd: string
  shell: string
  alive: boolean
  /** null while it is alive, and when a signal has ended it. */
  returncode: number | null
}

/** What text that is typed now would meet. */
interface TypedInput {
  /** The shell takes command lines of the POSIX kind, waits for one, and is in this folder. */
  folder: string | undefined
  /** Text that belongs to the same command: the shell has not had the end of it. */
  typed: string
}

interface TakenOutput {
  text: string
  /** Characters that wait for the next look. */
  remaining: number
  /** Characters that nobody can read any more, since the last look. */
  dropped: number
}

export interface TerminalTable {
  /** Rejects with FailureError: `unavailable`, `not_found`, `limit_reached`, `io`. */
  start(order: TerminalOrder): Promise<TerminalState>
  /** Undefined for one that there is not, or that was killed. */
  find(id: string): TerminalState | undefined
  list(): TerminalState[]
  lookAtInput(id: string): TypedInput
  /** `isWhole`: what it has typed so far is a whole command. */
  write(id: string, text: string, isWhole: (typed: string) => Promise<boolean>): Promise<void>
  /**
   * Ctrl-C: the program in the foreground is interrupted, and what was typed of a command is forgotten.
   * Resolves once there is output, at the latest after `firstOutputMs`.
   */
  interrupt(id: string, firstOutputMs: number, signal: AbortSignal): Promise<void>
  /** Waits until the time is over, the shell has ended or so much is there; then takes it. */
  read(id: string, wait: { ms: number; maxChars: number; signal: AbortSignal }): Promise<TakenOutput>
  /** TERM and a hang-up, KILL after two seconds, every descendant; `force`: KILL at once. */
  kill(id: string, force: boolean): Promise<TerminalState>
}

/** The terminals of one session. */
export interface SessionTerminals {
  open(): Promise<TerminalTable>
  /** Undefined until there has been a terminal. */
  readonly opened: TerminalTable | undefined
}
