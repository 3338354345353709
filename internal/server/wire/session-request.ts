// Requests of a client to a session over a socket. Each reply contains the number of its request.
import * as z from 'zod/mini'
import { sessionTopicSchema } from '../../session/topics.ts'

const number = z.number()
const text = z.string()

export const sessionRequestSchema = z.union([
  z.object({ id: number, call: z.literal('command'), command: z.looseObject({ id: text }) }),
  z.object({ id: number, call: z.literal('history'), before: number, limit: number }),
  z.object({ id: number, call: z.literal('mentions'), query: text, limit: number }),
  z.object({ id: number, call: z.literal('blob'), hash: text, offset: number, limit: number }),
  /** The replies to `events` and `topic` are events, until these end or the request is cancelled. */
  z.object({ id: number, call: z.literal('events'), after: number }),
  z.object({ id: number, call: z.literal('topic'), topic: sessionTopicSchema, after: number }),
  z.object({ id: number, call: z.literal('cancel') }),
])

export type SessionRequest = z.output<typeof sessionRequestSchema>

/** A reply to a request: first any number of events, then one `value` or `error`, which ends the request. */
export type SessionReply = { id: number } & (
  | { event: unknown }
  | { value: unknown }
  | { error: { code: string; message: string; hint?: string } }
)

/** The first message of every connection, from the session to the client. */
export interface SessionGreeting {
  thread: string
  openedAt: number
}
