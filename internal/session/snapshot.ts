// Snapshot of a session: the state that a new client cannot derive from stored events.
import type { EventPayload } from '../event/event.ts'
import type { Mode } from '../policy/level.ts'
import type { UserQuestionnaire } from '../tool/ask.ts'

/** Mode; in `plan` only the plan file is written. */
export type SessionMode = Mode | 'plan'

/** A running call with its latest progress. */
export interface RunningCall {
  call: string
  tool: string
  args: unknown
  /** Start of the call, in milliseconds since 1970. */
  since: number
  message?: string
  /** Whether the call belongs to no run. */
  byPerson?: boolean
}

/** A message that the model has not received yet. */
export interface QueuedMessage {
  id: string
  kind: 'steer' | 'queue'
  text: string
}

/** The unfinished response; with `retry` its shown text is invalid. */
export interface OpenReply {
  text: string
  reasoning: string
  since: number
  retry?: { attempt: number; tries?: number; waitMs?: number; why?: string }
}

/** A call that waits for approval, with its file changes once they are computed. */
export type PendingPermission = EventPayload<'permission.asked'> & {
  preview?: Omit<EventPayload<'permission.preview'>, 'call'>
}

export interface ChildAgent {
  thread: string
  title: string
  profile?: string
  since: number
}

/** A running background command. */
export interface RunningJob {
  job: string
  command: string
  since: number
  /** End of its output since the last read. */
  output?: string
}

export interface SessionSpending {
  /** Tokens of all requests of the session, including subagents. */
  input: number
  output: number
  cached: number
  /** Cost; null if a price was unknown. */
  usd: number | null
}

export interface SessionSnapshot {
  thread: string
  title: string
  profile: string
  /**
   * Model; `rules` only searches and quotes. `isOpening` means that its server has not reported
   * its limits yet.
   */
  model: { id: string; kind: 'language' | 'rules'; isOpening?: boolean }
  mode: SessionMode
  /** Mode before planning, while a plan is made. */
  workMode?: Mode | undefined
  /** Reasoning effort. Default: that of the profile. */
  effort?: string | undefined
  /** Active run, if any. */
  run?: { since: number; step: number }
  openReply?: OpenReply
  calls: readonly RunningCall[]
  waits: readonly PendingPermission[]
  questions: readonly { call: string; questionnaire: UserQuestionnaire }[]
  queue: readonly QueuedMessage[]
  todo: readonly { content: string; status: string }[]
  children: readonly ChildAgent[]
  jobs: readonly RunningJob[]
  /** Names of starting servers and plugins, for which a run may wait. */
  starting: readonly string[]
  spending: SessionSpending
  /** Part of `spending` that belongs to ended runs. */
  settled: SessionSpending
  /** Tokens of the last request and of the model's window, if known. */
  context: { tokens: number; window?: number }
}
