// Schemas of all events, which the store, stream-json output, screens and replay share.
import * as z from 'zod/mini'
import {
  approvalReview,
  checkRun,
  checkRunning,
  childEnd,
  fileDiff,
  goalTerms,
  runProof,
  unansweredCall,
  userQuestion,
} from './payload-parts.ts'

const openRecord = z.record(z.string(), z.unknown())
const names = z.optional(z.array(z.string()))
const ruleOffer = z.object({ rule: openRecord, covers: z.optional(z.string()), parts: names })
const linePart = z.object({ name: z.string(), action: z.enum(['allow', 'ask', 'deny']), why: z.string() })

/** `call` is Anode's own id of a call; `model_call` is the id in the model's response, if it had one. */
const ofCall = {
  call: z.string(),
  tool: z.string(),
  /** `TOOLSET/NAME` that the model called, if it differs from the tool's name. */
  face: z.optional(z.string()),
  model_call: z.optional(z.string()),
}

/** Marks a call by the user (`person`) or by an agent with a copy of the conversation (`branch`). */
const byOther = { by: z.optional(z.enum(['person', 'branch'])) }

/** An image that a user attached to a message, as base64. */
const image = z.object({ type: z.literal('image'), mime: z.string(), base64: z.string() })

/** A call of the model's response; `malformed` if its arguments were not valid JSON. */
const modelCall = z.object({
  id: z.string(),
  name: z.string(),
  args: z.unknown(),
  malformed: z.exactOptional(z.object({ raw: z.string(), error: z.string(), position: z.number() })),
})

/** A target of a call: a path, a command line, a host. */
const scope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('path'), path: z.string(), access: z.enum(['read', 'write']) }),
  z.object({ kind: z.literal('command'), line: z.string(), cwd: z.exactOptional(z.string()) }),
  z.object({ kind: z.literal('host'), host: z.string() }),
])

/** Tokens before the conversation: `system` without the repository's `instructions`, tools by origin. */
const requestContext = z.object({
  window: z.number(),
  system: z.number(),
  instructions: z.number(),
  tools: z.record(z.string(), z.number()),
})

/** Thread and title of the subagent whose call needs approval; undefined for a call of this thread. */
const ofChild = { thread: z.optional(z.string()), child: z.optional(z.string()) }

/**
 * Payload schemas by event type. They declare every field that the program writes or reads; readers
 * ignore unknown fields. An optional field is missing in events that are older than the field, and where
 * it does not apply.
 */
export const payloadSchemas = {
  'system.init': z.object({
    profile: z.string(),
    model: z.string(),
    cwd: z.string(),
    /** Copies of `profile`, `model` and `mode` under the names that other programs read. */
    profile_name: z.optional(z.string()),
    active_model: z.optional(z.string()),
    permission: z.optional(z.string()),
    web_enabled: z.optional(z.boolean()),
    mode: z.optional(z.string()),
    /** Checked-out branch, or `detached` with the commit. */
    branch: z.optional(z.string()),
    tools: z.array(z.string()),
    /** Name of the toolset. Default: anode. */
    toolset: z.optional(z.string()),
    thread: z.optional(z.string()),
    label: z.optional(z.string()),
    /** Estimated tokens at the beginning of every request of the run. */
    context: z.optional(requestContext),
  }),
  /**
   * With status `discarded`: the shown part of a response is invalid, and the response is requested again.
   */
  'message.delta': z.object({
    text: z.optional(z.string()),
    reasoning: z.optional(z.string()),
    retry: z.optional(z.number()),
    /** Largest number of attempts for the request. Default: no limit. */
    tries: z.optional(z.number()),
    wait_ms: z.optional(z.number()),
    why: z.optional(z.string()),
  }),
  message: z.object({
    role: z.enum(['system', 'user', 'assistant', 'summary']),
    text: z.string(),
    /** On a response: true if the user stopped the response after this text. */
    interrupted: z.optional(z.boolean()),
    calls: z.optional(z.array(modelCall)),
    /** Opaque value that the endpoint needs back unchanged with later requests. */
    carry: z.optional(z.object({ from: z.string(), value: z.unknown() })),
    /** Author of a user message, if not the user. `note`: Anode. `mail`: the sender of a mail. */
    origin: z.optional(z.enum(['note', 'mail'])),
    /** What the user typed, if the text is a prompt of an MCP server. */
    typed: z.optional(z.string()),
    images: z.optional(z.array(image)),
    /** On a summary: number of replaced messages, number of messages that stay after it, estimated tokens. */
    replaced: z.optional(z.number()),
    kept: z.optional(z.number()),
    tokens: z.optional(z.object({ before: z.number(), after: z.number() })),
    /** On a summary: positions of user messages that stay before it. Default: the first one alone. */
    user_messages: z.optional(z.array(z.number())),
    /** On a summary: character limit of each text before it; `whole`: user messages without this limit. */
    max_chars: z.optional(z.number()),
    whole: z.optional(z.enum(['user', 'latest', 'none'])),
    /** On a handoff (stored state of the work, for another agent): its id, and the blob with its text. */
    handoff: z.optional(z.object({ id: z.string(), blob: z.string() })),
  }),
  /** A message that waits for delivery to the model. A delivered or withdrawn message is no longer queued. */
  'message.queued': z.object({
    id: z.string(),
    kind: z.enum(['steer', 'queue']),
    text: z.string(),
    images: z.optional(z.array(image)),
    documents: z.optional(z.array(z.object({ name: z.string(), base64: z.string() }))),
  }),
  'message.unqueued': z.object({ id: z.string(), given: z.boolean() }),
  /** Settings of the session that change here; a missing field means that its setting stays as it is. */
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
    /** Decision of the permission rules, such as `allow`. */
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
    /** Exit codes of all commands of the last pipe in which a command failed. */
    pipe: z.optional(z.array(z.number())),
    /** Exit codes of every pipe in which a command failed, if there are several. */
    pipes: z.optional(z.array(z.array(z.number()))),
    /** Hash of the blob with the complete text when `text` is cut. */
    whole: z.optional(z.string()),
    /** Structured result; `data_cut`: long texts and lists in it are cut, or all of it is left out. */
    data: z.optional(z.unknown()),
    data_cut: z.optional(z.boolean()),
  }),
  /** A file that a tool is about to write or a command has written, with the data to undo the write. */
  'file.written': z.object({
    ...ofCall,
    /** Absolute path with links resolved. */
    path: z.string(),
    /** Fingerprint and permission bits before the write, null for a new file; `whole` has the content. */
    before: z.nullable(z.object({ hash: z.string(), mode: z.number() })),
    /** Fingerprint after the write, null for a file that is removed. */
    after: z.nullable(z.string()),
    /** Hash of the blob with the earlier content; missing for a new file and content not stored. */
    whole: z.optional(z.string()),
    /** On an undo by the user: the position of the earliest write that it reverts. */
    reverts: z.optional(z.number()),
  }),
  /** Progress that a tool reports for its call; shown, never stored. */
  'tool.progress': z.object({
    call: z.string(),
    tool: z.string(),
    progress: z.number(),
    total: z.optional(z.number()),
    message: z.optional(z.string()),
  }),
  /** Latest output of a command since the last event; `skipped` earlier characters are cut; never stored. */
  'tool.output': z.object({ call: z.string(), text: z.string(), skipped: z.optional(z.number()) }),
  /** A request for approval of a call. The `permission.decided` event with the same `call` answers it. */
  'permission.asked': z.object({
    ...ofCall,
    ...ofChild,
    reasons: z.array(z.string()),
    /** Effect of the call, with the same values as in `tool.call`. */
    effect: z.optional(z.string()),
    args: z.optional(openRecord),
    /** Names of the arguments that have their default value. */
    defaults: z.optional(z.array(z.string())),
    /** True if mode `edits` would allow the call. */
    edits: z.optional(z.boolean()),
    /** Working directory of the call. */
    cwd: z.optional(z.string()),
    /** Origin of the tool: `native`, `mcp <server>` and so on. */
    origin: z.optional(z.string()),
    /** Rules that "always" would store, and what else they permit. Old records contain a single rule. */
    always: z.optional(z.union([z.array(ruleOffer), ruleOffer])),
    /** Commands and redirections of a compound command, each with its decision. */
    parts: z.optional(z.array(linePart)),
  }),
  'permission.decided': z.object({
    ...ofCall,
    ...ofChild,
    action: z.string(),
    why: z.string(),
    always: z.optional(z.boolean()),
  }),
  'approval.reviewed': z.extend(approvalReview, ofCall),
  /** File changes of a call that waits for approval; shown, never stored. */
  'permission.preview': z.object({ call: z.string(), files: z.array(fileDiff), shows: z.array(z.string()) }),
  /** Questionnaire of a call that waits for a user. */
  'question.asked': z.object({
    call: z.string(),
    /** Id for an answer on standard input; missing if the answer arrives in another way. */
    request_id: z.optional(z.string()),
    from: z.string(),
    questions: z.array(userQuestion),
  }),
  'question.answered': z.object({ call: z.string(), status: z.string() }),
  'child.started': z.object({ thread: z.string(), title: z.string(), profile: z.optional(z.string()) }),
  'child.ended': z.object({ thread: z.string(), end: childEnd }),
  /** End of a background command; `call` started it, and the blob `whole` contains its output. */
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
  /** The check that has to prove the work from here on, or its end (null) with the reason. */
  'goal.changed': z.object({
    goal: z.nullable(goalTerms),
    why: z.optional(z.enum(['proven', 'stood_down', 'tampered'])),
  }),
  'check.running': checkRunning,
  'check.ran': checkRun,
  /** Start of planning with this plan file, or the end of planning (null). */
  'plan.changed': z.object({ path: z.nullable(z.string()) }),
  /** Notice about the model's endpoint; `model` is set if another model is used from here on. */
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
    /** The model that responded, if several models may respond. */
    model: z.optional(z.string()),
  }),
  /**
   * Last event, once per run. `totals` are tokens, requests and calls; `usd` is null if a price is unknown.
   */
  'run.ended': z.object({
    end: z.string(),
    reason: z.optional(z.string()),
    /** Error of a failed run. */
    message: z.optional(z.string()),
    answer: z.optional(z.string()),
    model: z.optional(z.string()),
    totals: z.optional(openRecord),
    usd: z.optional(z.nullable(z.number())),
    ms: z.optional(z.number()),
    unanswered: z.optional(z.array(unansweredCall)),
    /** Background commands: how many started, and how many the end of the run stopped. */
    jobs: z.optional(z.object({ started: z.number(), stopped: z.number() })),
    /** The receipt of the check that has to prove the work, for a run that has one. */
    proof: z.optional(runProof),
  }),
} as const

export type EventType = keyof typeof payloadSchemas
export type EventPayload<T extends EventType> = z.output<(typeof payloadSchemas)[T]>

/** An event as a part of the program reports it; the log adds id, run, sequence number and time. */
export type EventDraft = {
  [T in EventType]: { type: T; status?: string; payload: EventPayload<T> }
}[EventType]

/** A recorded event. `seq` counts from 1 within a run; `id` is a ULID. */
export type Event = EventDraft & { id: string; run_id: string; seq: number; ts: number }
