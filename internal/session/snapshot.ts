// Snapshot of a session: the part of its state that a new client cannot derive from stored events.
import type { EventPayload } from '../event/event.ts'
import type { Mode } from '../policy/level.ts'
import type { UserQuestionnaire } from '../tool/ask.ts'

/** Mode of the session. In `plan` only the plan file may be written. */
export type SessionMode = Mode | 'plan'

/** A running call with its latest progress. */
export interface RunningCall {
  call: string
  tool: string
  args: unknown
  /** Start of the call, in milliseconds since 1970. */
  since: number
  message?: string
  /** True if the user started the call, so that it belongs to no run. */
  byPerson?: boolean
}

/** A message that the model has not received yet. */
export interface QueuedMessage {
  id: string
  kind: 'steer' | 'queue'
  text: string
}

/** The response that is not finished yet. With `retry`, it is requested again and has no text yet. */
export interface OpenReply {
  text: string
  reasoning: string
  since: number
  retry?: { attempt: number; tries?: number; waitMs?: number; why?: string }
}

/** A call that waits for approval, with a preview of its file changes once that is computed. */
export type PendingPermission = EventPayload<'permission.asked'> & {
  preview?: Omit<EventPayload<'permission.preview'>, 'call'>
}

export interface RunningSubagent {
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
  /**
   * The last 4,000 characters of the job's output that this view has received; undefined before
   * the first output.
   */
  output?: string
}

export interface SessionSpending {
  /** Tokens of all requests of the session; those of subagents are added at the end of their run. */
  input: number
  output: number
  cached: number
  /** Cost in US dollars; null if a price was unknown. */
  usd: number | null
}

/** Settings of a session that the user can change while it is open. */
export interface ChosenSettings {
  profile: string
  /**
   * The model. `rules`: it only searches and quotes. `isOpening`: its server has not reported its limits yet.
   */
  model: { id: string; kind: 'language' | 'rules'; isOpening?: boolean }
  mode: SessionMode
  /** Mode that was active before a plan was requested; undefined unless a plan is being made. */
  workMode?: Mode | undefined
  /** Reasoning effort of the model. Default: that of the profile. */
  effort?: string | undefined
}

/** Calls for which a session waits for the user. */
export interface UserWaits {
  /** Calls that wait for approval, in the order in which they arrived. */
  waits: readonly PendingPermission[]
  questions: readonly { call: string; questionnaire: UserQuestionnaire }[]
}

/** Work that has begun or that is planned in a session. */
export interface SessionWork extends UserWaits {
  calls: readonly RunningCall[]
  queue: readonly QueuedMessage[]
  todo: readonly { content: string; status: string }[]
  children: readonly RunningSubagent[]
  /** Background commands, including those of earlier runs. */
  jobs: readonly RunningJob[]
  /** Names of servers and plugins that are starting, for which a run may have to wait. */
  starting: readonly string[]
}

/** Tokens and cost of a session. */
export interface SessionUsage {
  spending: SessionSpending
  /** Part of `spending` that belongs to ended runs. */
  settled: SessionSpending
  /** Tokens of the last request and of the model's window, if known. */
  context: { tokens: number; window?: number }
}

export interface SessionSnapshot extends ChosenSettings, SessionWork, SessionUsage {
  thread: string
  title: string
  /**
   * The active run: its start in milliseconds since 1970 and the number of its current step, from 1.
   * Undefined if no run is active.
   */
  run?: { since: number; step: number }
  openReply?: OpenReply
  /** The command of a check that runs now, and its start in milliseconds since 1970. */
  checking?: NonNullable<EventPayload<'check.running'>['check']> & { since: number }
}
