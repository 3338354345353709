// The order that a run's process reads from standard input, and its one-line response.

import type { SessionSource, SessionWishes } from '../../session/client.ts'
import type { CarriedSession } from '../session/handover/carried-session.ts'

export interface RunProcessOrder {
  cwd: string
  source: SessionSource
  settings: SessionWishes
  addDirs: readonly string[]
  /** The first message of the user. */
  message?: string
  /** State of a session that was handed off. Its run continues immediately. */
  carried?: CarriedSession
}

/** The response. `taken` means that another process already serves the thread. */
export type RunReply =
  | { kind: 'started' | 'taken'; thread: string; notes: readonly string[] }
  | { kind: 'refused'; message: string; hint?: string }
