// What a client asks of a session over a socket. Replies bear the request's number.
import * as z from 'zod/mini'
import { sessionTopicSchema } from '../../session/topics.ts'

const number = z.number()
const text = z.string()

export const sessionRequestSchema = z.union([
  z.object({ id: number, call: z.literal('command'), command: z.looseObject({ id: text }) }),
  z.object({ id: number, call: z.literal('history'), before: number, limit: number }),
  z.object({ id: number, call: z.literal('mentions'), query: text, limit: number }),
  z.object({ id: number, call: z.literal('blob'), hash: text, offset: number, limit: number }),
  /** Both are answered by events, until they are over or cancelled. */
  z.object({ id: number, call: z.literal('events'), after: number }),
  z.object({ id: number, call: z.literal('topic'), topic: sessionTopicSchema, after: number }),
  z.object({ id: number, call: z.literal('cancel') }),
])

export type SessionRequest = z.output<typeof sessionRequestSchema>

/** One `value` or `error` ends a request; `events` come before. */
export type SessionReply = { id: number } & (
  | { event: unknown }
  | { value: unknown }
  | { error: { code: string; message: string; hint?: string } }
)

/** The first message of every connection. */
export interface SessionGreeting {
  thread: string
  openedAt: number
}
