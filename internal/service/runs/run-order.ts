// Request that the process of a run reads from standard input, and its reply in one line.

import type { SessionSource, SessionWishes } from '../../session/client.ts'
import type { CarriedSession } from '../session/handover/carried-session.ts'

export interface RunProcessOrder {
  cwd: string
  source: SessionSource
  settings: SessionWishes
  addDirs: readonly string[]
  /** The first message of the user. */
  message?: string
  /** State of a session that another process has handed off to this one. Its run continues immediately. */
  carried?: CarriedSession
}

/** Reply of the process of a run. `taken`: another process already serves the thread. */
export type RunReply =
  | { kind: 'started' | 'taken'; thread: string; notes: readonly string[] }
  | { kind: 'refused'; message: string; hint?: string }
