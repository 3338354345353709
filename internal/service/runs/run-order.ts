// What a process that serves a run is told on its standard input, and the one line that it replies with.

import type { SessionSource, SessionWishes } from '../../session/client.ts'
import type { CarriedSession } from '../session/handover/carried-session.ts'

export interface RunProcessOrder {
  cwd: string
  source: SessionSource
  settings: SessionWishes
  addDirs: readonly string[]
  /** Said at once. */
  message?: string
  /** Handed over by a session that was left: it goes on at once. */
  carried?: CarriedSession
}

/** `taken`: another process serves the thread already. */
export type RunReply =
  | { kind: 'started' | 'taken'; thread: string; notes: readonly string[] }
  | { kind: 'refused'; message: string; hint?: string }
