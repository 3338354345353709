// What a process that serves a run is told on its standard input, and the one line that it replies with.
import type { SessionSource, SessionWishes } from '../../session/client.ts'

export interface RunProcessOrder {
  cwd: string
  source: SessionSource
  settings: SessionWishes
  addDirs: readonly string[]
  /** Said at once. */
  message?: string
}

/** `taken`: another process serves the thread already. */
export type RunReply =
  | { kind: 'started' | 'taken'; thread: string; notes: readonly string[] }
  | { kind: 'refused'; message: string; hint?: string }
