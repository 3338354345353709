// The one vocabulary of what happens: the store keeps it, stream-json prints it, screens draw it, replay reads it.
import * as z from 'zod/mini'

const openRecord = z.record(z.string(), z.unknown())

/** `call` is the program's own id of a call; `model_call` the one that the model's reply gave it, if one did. */
const ofCall = () => ({ call: z.string(), tool: z.string(), model_call: z.optional(z.string()) })

/** Payloads by event type. New fields may be added; readers ignore what they do not know. */
export const payloadSchemas = {
  'system.init': z.looseObject({
    profile: z.string(),
    model: z.string(),
    mode: z.optional(z.string()),
    cwd: z.string(),
    tools: z.array(z.string()),
  }),
  'message.delta': z.looseObject({ text: z.optional(z.string()), reasoning: z.optional(z.string()) }),
  message: z.looseObject({
    role: z.enum(['system', 'user', 'assistant', 'summary']),
    text: z.string(),
    calls: z.optional(z.array(z.looseObject({ id: z.string(), name: z.string(), args: z.unknown() }))),
  }),
  'tool.call': z.looseObject({ ...ofCall(), args: z.unknown() }),
  'tool.result': z.looseObject({
    ...ofCall(),
    ok: z.boolean(),
    text: z.string(),
    code: z.optional(z.string()),
    ms: z.optional(z.number()),
    /** Hash of the blob that holds the whole text when `text` is cut. */
    whole: z.optional(z.string()),
    /** The structured result; with `data_cut` long texts and lists in it are cut. */
    data: z.optional(z.unknown()),
    data_cut: z.optional(z.boolean()),
  }),
  /** How far a call has come, as the tool itself says; shown, never stored. */
  'tool.progress': z.looseObject({
    call: z.string(),
    tool: z.string(),
    progress: z.number(),
    total: z.optional(z.number()),
    message: z.optional(z.string()),
  }),
  /** A verdict names `call`, and answers that one call. */
  'permission.asked': z.looseObject({
    ...ofCall(),
    reasons: z.array(z.string()),
    /** All arguments, as they will be used. Events from before these fields were added have none of them. */
    args: z.optional(openRecord),
    /** Directory that the call starts in. */
    cwd: z.optional(z.string()),
    /** Where the tool comes from: `native`, `mcp <server>` and so on. */
    origin: z.optional(z.string()),
    /** The rule that "always" would store, and what else it lets through. */
    always: z.optional(z.looseObject({ rule: openRecord, covers: z.optional(z.string()) })),
    /** Thread and task of the child agent that asks. */
    thread: z.optional(z.string()),
    child: z.optional(z.string()),
  }),
  'permission.decided': z.looseObject({
    ...ofCall(),
    action: z.string(),
    why: z.string(),
    always: z.optional(z.boolean()),
  }),
  'child.started': z.looseObject({ thread: z.string(), title: z.string() }),
  'child.ended': z.looseObject({ thread: z.string(), end: openRecord }),
  limit: z.looseObject({ limit: z.string(), message: z.string() }),
  usage: z.looseObject({
    input: z.number(),
    output: z.number(),
    cached: z.optional(z.number()),
    usd: z.optional(z.nullable(z.number())),
  }),
  /** Last and once. `totals` are tokens, requests and calls; `usd` is null where a price is unknown. */
  'run.ended': z.looseObject({
    end: z.string(),
    reason: z.optional(z.string()),
    answer: z.optional(z.string()),
    model: z.optional(z.string()),
    totals: z.optional(openRecord),
    usd: z.optional(z.nullable(z.number())),
    ms: z.optional(z.number()),
  }),
} as const

export type EventType = keyof typeof payloadSchemas
export type EventPayload<T extends EventType> = z.output<(typeof payloadSchemas)[T]>

/** What a part of the program reports; the log adds id, run and sequence number. */
export type EventDraft = {
  [T in EventType]: { type: T; status?: string; payload: EventPayload<T> }
}[EventType]

/** A recorded event. `seq` counts from 1 within a run; `id` is a ULID. */
export type Event = EventDraft & { id: string; run_id: string; seq: number; ts: number }
