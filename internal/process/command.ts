// What can be asked of the process runner, and what comes back.

export interface Command {
  file: string
  args: readonly string[]
  cwd: string
  /** The child's whole environment; absent: the runner's allow list (see environment.ts). */
  env?: Readonly<Record<string, string>>
  /** Written to standard input, which is then closed; absent: /dev/null. */
  input?: string | Uint8Array
  timeoutMs?: number
  signal?: AbortSignal
  /** Bytes of each stream kept, head and tail, in memory; default 1 MiB. More is counted, not kept. */
  keepBytes?: number
  /** Every chunk in order of arrival, before anything is dropped. Must not throw. */
  onOutput?: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void
}

export interface Captured {
  /** What the child wrote, in bytes. */
  bytes: number
  /** What was kept, decoded as UTF-8, with a line `… N bytes left out …` where something is missing. */
  text: string
  /** True when bytes were left out. */
  cut: boolean
  /** True when invalid UTF-8 was replaced. */
  invalid: boolean
}

export interface Outcome {
  /** null when ended by a signal. */
  exit: number | null
  signal: string | null
  /** Why the runner ended it, if it did. */
  ended: 'timeout' | 'cancelled' | undefined
  ms: number
  stdout: Captured
  stderr: Captured
  /** Descendants that outlived the command and were killed. */
  leaked: number
}

/** Runs one command to its end. Rejects with FailureError `not_found` when the program does not exist. */
export type Run = (command: Command) => Promise<Outcome>
