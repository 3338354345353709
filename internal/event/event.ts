// The one vocabulary of what happens: stored, printed as stream-json, drawn by screens, read by replay.
import * as z from 'zod/mini'
import { childEnd, fileDiff, unansweredCall, userQuestion } from './payload-parts.ts'

const openRecord = z.record(z.string(), z.unknown())
const names = z.optional(z.array(z.string()))
const ruleOffer = z.object({ rule: openRecord, covers: z.optional(z.string()), parts: names })
const linePart = z.object({ name: z.string(), action: z.enum(['allow', 'ask', 'deny']), why: z.string() })

/**
 * `call` is the program's own id of a call; `model_call` the one that the model's reply gave it, if one did.
 */
const ofCall = {
  call: z.string(),
  tool: z.string(),
  /** `TOOLSET/NAME` that the tool was called as, where that is not its own name. */
  face: z.optional(z.string()),
  model_call: z.optional(z.string()),
}

/** A call that a person made in a session, or a branch: it is no part of the model's conversation. */
const byOther = { by: z.optional(z.enum(['person', 'branch'])) }

/** Something other than text that a person has put into a message, as base64. */
const image = z.object({ type: z.literal('image'), mime: z.string(), base64: z.string() })

/** A call as the model's reply made it; `malformed` where its arguments were no JSON. */
const modelCall = z.object({
  id: z.string(),
  name: z.string(),
  args: z.unknown(),
  malformed: z.exactOptional(z.object({ raw: z.string(), error: z.string(), position: z.number() })),
})

/** What a call reaches: a path, a command line, a host. */
const scope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('path'), path: z.string(), access: z.enum(['read', 'write']) }),
  z.object({ kind: z.literal('command'), line: z.string(), cwd: z.exactOptional(z.string()) }),
  z.object({ kind: z.literal('host'), host: z.string() }),
])

/** What stands before the conversation: `system` without the repository's `instructions`, tools by origin. */
const requestContext = z.object({
  window: z.number(),
  system: z.number(),
  instructions: z.number(),
  tools: z.record(z.string(), z.number()),
})

/** Whose question it is: thread and task of the child agent that asks. */
const ofChild = { thread: z.optional(z.string()), child: z.optional(z.string()) }

/**
 * Payloads by event type: every field that the program writes or reads is declared. Readers ignore what they
 * do not know; what is optional is missing in events from before it was added, or where it does not apply.
 */
export const payloadSchemas = {
  'system.init': z.object({
    profile: z.string(),
    model: z.string(),
    cwd: z.string(),
    /** The same as `profile`, `model` and `mode`, under the names that other readers know. */
    profile_name: z.optional(z.string()),
    active_model: z.optional(z.string()),
    permission: z.optional(z.string()),
    web_enabled: z.optional(z.boolean()),
    mode: z.optional(z.string()),
    /** That is checked out, or `detached` and the commit. */
    branch: z.optional(z.string()),
    tools: z.array(z.string()),
    /** Absent: anode. */
    toolset: z.optional(z.string()),
    thread: z.optional(z.string()),
    label: z.optional(z.string()),
    /** Estimated tokens of what every request of the run begins with. */
    context: z.optional(requestContext),
  }),
  /** With status `discarded`: what was shown of a reply does not count, and it is asked for once more. */
  'message.delta': z.object({
    text: z.optional(z.string()),
    reasoning: z.optional(z.string()),
    retry: z.optional(z.number()),
    /** How often it is tried in all, where that is limited. */
    tries: z.optional(z.number()),
    wait_ms: z.optional(z.number()),
    why: z.optional(z.string()),
  }),
  message: z.object({
    role: z.enum(['system', 'user', 'assistant', 'summary']),
    text: z.string(),
    /** Of a reply: a person has stopped it here. */
    interrupted: z.optional(z.boolean()),
    calls: z.optional(z.array(modelCall)),
    /** What the model wants back word for word with later requests. */
    carry: z.optional(z.object({ from: z.string(), value: z.unknown() })),
    /** Who but a person wrote a user message. */
    origin: z.optional(z.enum(['note', 'mail'])),
    images: z.optional(z.array(image)),
    /** Of a summary: messages that it stands for, those after it that are kept, estimated tokens of all. */
    replaced: z.optional(z.number()),
    kept: z.optional(z.number()),
    tokens: z.optional(z.object({ before: z.number(), after: z.number() })),
    /** Of a summary: positions of the messages of the user that stay before it; absent: the first alone. */
    user_messages: z.optional(z.array(z.number())),
    /** Of a summary: no text of the conversation has more characters from here on, except `whole`. */
    max_chars: z.optional(z.number()),
    whole: z.optional(z.enum(['user', 'latest', 'none'])),
    /** Of a handoff: its id and the blob that holds it. */
    handoff: z.optional(z.object({ id: z.string(), blob: z.string() })),
  }),
  /** Said while it could not be given to the model yet; what is given or taken back is no longer queued. */
  'message.queued': z.object({
    id: z.string(),
    kind: z.enum(['steer', 'queue']),
    text: z.string(),
    images: z.optional(z.array(image)),
    documents: z.optional(z.array(z.object({ name: z.string(), base64: z.string() }))),
  }),
  'message.unqueued': z.object({ id: z.string(), given: z.boolean() }),
  /** What holds for the session from here on. */
  'session.changed': z.object({
    profile: z.optional(z.string()),
    model: z.optional(z.string()),
    mode: z.optional(z.string()),
    effort: z.optional(z.string()),
    title: z.optional(z.string()),
  }),
  'tool.call': z.object({
    ...ofCall,
    ...byOther,
    args: z.unknown(),
    effect: z.optional(z.string()),
    scope: z.optional(z.array(scope)),
    /** Action of the permission decision. */
    decision: z.optional(z.string()),
  }),
  'tool.result': z.object({
    ...ofCall,
    ...byOther,
    ok: z.boolean(),
    text: z.string(),
    code: z.optional(z.string()),
    ms: z.optional(z.number()),
    /** Exit code of a command. */
    exit: z.optional(z.number()),
    /** Exit codes of all commands of its last pipe in which one failed. */
    pipe: z.optional(z.array(z.number())),
    /** The same of each such pipe, where there are several. */
    pipes: z.optional(z.array(z.array(z.number()))),
    /** Hash of the blob that holds the whole text when `text` is cut. */
    whole: z.optional(z.string()),
    /** The structured result; with `data_cut` long texts and lists in it are cut. */
    data: z.optional(z.unknown()),
    data_cut: z.optional(z.boolean()),
  }),
  /** A file is about to be written: what undoing it takes. */
  'file.written': z.object({
    ...ofCall,
    /** Absolute, without links. */
    path: z.string(),
    /** Fingerprint and permission bits before, null for a new file; the content is the blob `whole`. */
    before: z.nullable(z.object({ hash: z.string(), mode: z.number() })),
    /** Fingerprint after, null for a file that is removed. */
    after: z.nullable(z.string()),
    /** Hash of the blob with the content before; absent where there was none. */
    whole: z.optional(z.string()),
  }),
  /** How far a call has come, as the tool itself says; shown, never stored. */
  'tool.progress': z.object({
    call: z.string(),
    tool: z.string(),
    progress: z.number(),
    total: z.optional(z.number()),
    message: z.optional(z.string()),
  }),
  /** What a command printed since then, but `skipped` characters; shown, never stored. */
  'tool.output': z.object({ call: z.string(), text: z.string(), skipped: z.optional(z.number()) }),
  /** A verdict names `call`, and answers that one call. */
  'permission.asked': z.object({
    ...ofCall,
    ...ofChild,
    reasons: z.array(z.string()),
    /** As in `tool.call`. */
    effect: z.optional(z.string()),
    args: z.optional(openRecord),
    /** Directory that the call starts in. */
    cwd: z.optional(z.string()),
    /** Where the tool comes from: `native`, `mcp <server>` and so on. */
    origin: z.optional(z.string()),
    /** The rules that "always" would store, and what else they let through; in old records one alone. */
    always: z.optional(z.union([z.array(ruleOffer), ruleOffer])),
    /** The commands and redirections of a line that has several, each with what was made of it. */
    parts: z.optional(z.array(linePart)),
  }),
  'permission.decided': z.object({
    ...ofCall,
    ...ofChild,
    action: z.string(),
    why: z.string(),
    always: z.optional(z.boolean()),
  }),
  /** What a call that waits would make of files; shown, never stored. */
  'permission.preview': z.object({ call: z.string(), files: z.array(fileDiff), shows: z.array(z.string()) }),
  /** The questionnaire of one call that waits for a person. */
  'question.asked': z.object({
    call: z.string(),
    /** What an answer line on standard input names; absent where it is answered in another way. */
    request_id: z.optional(z.string()),
    from: z.string(),
    questions: z.array(userQuestion),
  }),
  'question.answered': z.object({ call: z.string(), status: z.string() }),
  'child.started': z.object({ thread: z.string(), title: z.string(), profile: z.optional(z.string()) }),
  'child.ended': z.object({ thread: z.string(), end: childEnd }),
  /** A command in the background has ended; `call` started it, and `whole` is the blob with its output. */
  'job.ended': z.object({
    job: z.string(),
    call: z.string(),
    command: z.string(),
    exit: z.nullable(z.number()),
    signal: z.nullable(z.string()),
    stopped: z.boolean(),
    timed_out: z.boolean(),
    ms: z.number(),
    whole: z.optional(z.string()),
  }),
  /** Planning has begun with this file, or is over. */
  'plan.changed': z.object({ path: z.nullable(z.string()) }),
  /** Something about the model's endpoint; `model` is asked from here on, where it is another one. */
  'model.notice': z.object({ code: z.string(), text: z.string(), model: z.optional(z.string()) }),
  limit: z.object({ limit: z.string(), message: z.string() }),
  usage: z.object({
    input: z.number(),
    output: z.number(),
    cached: z.optional(z.number()),
    cacheWrite: z.optional(z.number()),
    cacheWrite1h: z.optional(z.number()),
    usd: z.optional(z.nullable(z.number())),
    estimated: z.optional(z.boolean()),
    /** The one of several models that replied. */
    model: z.optional(z.string()),
  }),
  /** Last and once. `totals` are tokens, requests and calls; `usd` is null where a price is unknown. */
  'run.ended': z.object({
    end: z.string(),
    reason: z.optional(z.string()),
    /** Of a run that failed: what was wrong. */
    message: z.optional(z.string()),
    answer: z.optional(z.string()),
    model: z.optional(z.string()),
    totals: z.optional(openRecord),
    usd: z.optional(z.nullable(z.number())),
    ms: z.optional(z.number()),
    unanswered: z.optional(z.array(unansweredCall)),
    /** Commands in the background: how many there were, and how many the end of the run has stopped. */
    jobs: z.optional(z.object({ started: z.number(), stopped: z.number() })),
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
