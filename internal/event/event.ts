// The one vocabulary of what happens: the store keeps it, stream-json prints it, screens draw it, replay reads it.
import * as z from 'zod/mini'

const open = z.record(z.string(), z.unknown())

/** Payloads by event type. New fields may be added; readers ignore what they do not know. */
export const payloads = {
  'system.init': z.looseObject({
    profile: z.string(),
    model: z.string(),
    cwd: z.string(),
    tools: z.array(z.string()),
  }),
  'message.delta': z.looseObject({ text: z.optional(z.string()), reasoning: z.optional(z.string()) }),
  message: z.looseObject({
    role: z.enum(['system', 'user', 'assistant', 'summary']),
    text: z.string(),
    calls: z.optional(z.array(z.looseObject({ id: z.string(), name: z.string(), args: z.unknown() }))),
  }),
  'tool.call': z.looseObject({ call: z.string(), tool: z.string(), args: z.unknown() }),
  'tool.result': z.looseObject({
    call: z.string(),
    tool: z.string(),
    ok: z.boolean(),
    text: z.string(),
    code: z.optional(z.string()),
    ms: z.optional(z.number()),
    /** Hash of the blob that holds the whole text when `text` is cut. */
    whole: z.optional(z.string()),
  }),
  /** How far a call has come, as the tool itself says; shown, never stored. */
  'tool.progress': z.looseObject({
    call: z.string(),
    tool: z.string(),
    progress: z.number(),
    total: z.optional(z.number()),
    message: z.optional(z.string()),
  }),
  'permission.asked': z.looseObject({ call: z.string(), tool: z.string(), reasons: z.array(z.string()) }),
  'permission.decided': z.looseObject({
    call: z.string(),
    tool: z.string(),
    action: z.string(),
    why: z.string(),
  }),
  'child.started': z.looseObject({ thread: z.string(), title: z.string() }),
  'child.ended': z.looseObject({ thread: z.string(), end: open }),
  limit: z.looseObject({ limit: z.string(), message: z.string() }),
  usage: z.looseObject({
    input: z.number(),
    output: z.number(),
    cached: z.optional(z.number()),
    usd: z.optional(z.nullable(z.number())),
  }),
  'run.ended': z.looseObject({ end: z.string(), reason: z.optional(z.string()) }),
} as const

export type Type = keyof typeof payloads
export type Payload<T extends Type> = z.output<(typeof payloads)[T]>

/** What a part of the program reports; the log adds id, run and sequence number. */
export type Draft = { [T in Type]: { type: T; status?: string; payload: Payload<T> } }[Type]

/** A recorded event. `seq` counts from 1 within a run; `id` is a ULID. */
export type Event = Draft & { id: string; run_id: string; seq: number; ts: number }
