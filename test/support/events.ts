// Reads the lines of --stream-json strictly: every one fits the schema, numbers have no gap, the end comes once.
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { type Event, payloadSchemas } from '../../internal/event/event.ts'

const frame = z.object({
  id: z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/)),
  run_id: z.string().check(z.regex(/^run_/)),
  seq: z.int(),
  ts: z.int(),
  type: z.enum(
    Object.keys(payloadSchemas) as [keyof typeof payloadSchemas, ...(keyof typeof payloadSchemas)[]],
  ),
  status: z.optional(z.string()),
  payload: z.unknown(),
})

/** Returns all events of one whole run. */
export function eventsOf(out: string): Event[] {
  const lines = out.trimEnd().split('\n')
  const events = lines.map((line) => {
    const event = z.parse(frame, JSON.parse(line))
    z.parse(payloadSchemas[event.type], event.payload)
    return event as Event
  })
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
  expect(new Set(events.map(({ run_id }) => run_id)).size).toBe(1)
  expect(events.flatMap(({ type }, i) => (type === 'run.ended' ? [i] : []))).toEqual([events.length - 1])
  return events
}

export const ofType = <T extends Event['type']>(events: readonly Event[], type: T) =>
  events.filter((event): event is Extract<Event, { type: T }> => event.type === type)
