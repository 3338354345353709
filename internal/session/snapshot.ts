// The snapshot of a session: what stored events alone do not tell somebody who begins to look now.
import type { EventPayload } from '../event/event.ts'
import type { Mode } from '../policy/level.ts'
import type { UserQuestionnaire } from '../tool/ask.ts'

/** `plan`: a plan is made, and nothing but its file is written. */
export type SessionMode = Mode | 'plan'

/** A call that runs, with what it last said of itself. */
export interface RunningCall {
  call: string
  tool: string
  args: unknown
  /** Milliseconds since 1970. */
  since: number
  message?: string
  /** It belongs to no run. */
  byPerson?: boolean
}

/** A message that the model has not been given yet. */
export interface QueuedMessage {
  id: string
  kind: 'steer' | 'queue'
  text: string
}

/** The reply that is being written; with `retry` what was shown of it does not count. */
export interface OpenReply {
  text: string
  reasoning: string
  since: number
  retry?: { attempt: number; tries?: number; waitMs?: number; why?: string }
}

/** A call that waits for an answer, and what it would make of files once that has been worked out. */
export type PendingPermission = EventPayload<'permission.asked'> & {
  preview?: Omit<EventPayload<'permission.preview'>, 'call'>
}

export interface ChildAgent {
  thread: string
  title: string
  profile?: string
  since: number
}

/** A command in the background that goes on. */
export interface RunningJob {
  job: string
  command: string
  since: number
  /** The end of what it has printed since somebody looked. */
  output?: string
}

export interface SessionSpending {
  /** Tokens of all requests of the session, children counted in. */
  input: number
  output: number
  cached: number
  /** null: a price was unknown. */
  usd: number | null
}

export interface SessionSnapshot {
  thread: string
  title: string
  profile: string
  /** `rules`: a model that only searches and quotes. `isOpening`: its server has yet to say its limits. */
  model: { id: string; kind: 'language' | 'rules'; isOpening?: boolean }
  mode: SessionMode
  /** While a plan is made: the mode that was there before. */
  workMode?: Mode | undefined
  /** How hard the model is to think; absent: as the profile says. */
  effort?: string | undefined
  /** Absent: no run goes on. */
  run?: { since: number; step: number }
  openReply?: OpenReply
  calls: readonly RunningCall[]
  waits: readonly PendingPermission[]
  questions: readonly { call: string; questionnaire: UserQuestionnaire }[]
  queue: readonly QueuedMessage[]
  todo: readonly { content: string; status: string }[]
  children: readonly ChildAgent[]
  jobs: readonly RunningJob[]
  /** Servers and plugins that are being started, by name: a run may wait for them. */
  starting: readonly string[]
  spending: SessionSpending
  /** The part of `spending` that runs took which have ended. */
  settled: SessionSpending
  /** Tokens of the last request and of the model's window, where it is known. */
  context: { tokens: number; window?: number }
}
