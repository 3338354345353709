// The interface of a model: messages in, a stream of events out, and what both are made of. Knows no
// provider.

/** A piece of content. Images are base64 without a data: prefix. */
export type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'image'; mime: string; base64: string }
  | DocumentPart

/** A PDF as base64 without a data: prefix. `text` is the part of the text before it that says the same. */
export interface DocumentPart {
  type: 'document'
  mime: 'application/pdf'
  name: string
  base64: string
  pages: number
  text: string
}
export type MessageContent = string | readonly ContentPart[]

/**
 * Arguments that were not valid JSON. `position` counts characters of `raw` from 0; -1: the error is about
 * the whole call.
 */
export interface MalformedArgs {
  raw: string
  error: string
  position: number
}

/**
 * A tool call of a reply. With `malformed` present nothing may run: `args` is then undefined and the model
 * has to be told what `malformed` says. Ids are unique within one reply.
 */
export interface ModelToolCall {
  id: string
  name: string
  args: unknown
  malformed?: MalformedArgs
}

/** What a model wants back word for word with later requests; only the model that wrote `from` reads it. */
export interface ModelCarry {
  from: string
  value: unknown
}

/** Evidence under which a study filed what a tool result showed. */
export interface ResultEvidence {
  id: string
  path?: string
}

export type ModelMessage =
  | { role: 'system'; content: string }
  /**
   * `origin` is given for what the program itself put in: notes, steering, mail. A person's words have none.
   */
  | { role: 'user'; content: MessageContent; origin?: 'note' | 'mail' }
  | { role: 'assistant'; content: string; calls?: readonly ModelToolCall[]; carry?: ModelCarry }
  /**
   * `data` (the structured result) and `evidence` never leave this machine: only local models look at them.
   */
  | {
      role: 'tool'
      callId: string
      name: string
      content: MessageContent
      failed?: boolean
      data?: unknown
      evidence?: readonly ResultEvidence[]
    }

/** `schema` is the JSON Schema of the arguments. */
export interface ToolSpec {
  name: string
  description: string
  schema: Readonly<Record<string, unknown>>
  /** Another program brings it (an MCP server, a plugin, a toolbox): a request may be sent without it. */
  foreign?: true
}

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/** What the request is for, so that a model which is no language model can act on structure. */
export interface RequestMeta {
  purpose: 'work' | 'plan' | 'verify' | 'synthesise' | 'conclude' | 'compact'
  input?: unknown
  /** Whose turn this is; `script:` files keep one order of replies per task. */
  task?: string
  /** Replies this task had taken before this process started (from a journal); `script:` skips as many. */
  taken?: number
}

export interface ModelRequest {
  messages: readonly ModelMessage[]
  tools: readonly ToolSpec[]
  /** `none`: tools are told, so that a kept prefix still fits, and none may be called. */
  toolChoice?: 'none'
  effort?: Effort
  /** Upper bound of output tokens. */
  maxOutput?: number
  /** Epoch milliseconds after which no further try is worth making. */
  deadline?: number
  /** Equal for requests that begin alike, so that a provider finds what it has kept of them. */
  cacheKey?: string
  meta?: RequestMeta
}

/** Tokens of one request. `usd` is null when the price is unknown, never 0 for that reason. */
export interface TokenUsage {
  input: number
  output: number
  /** The part of `input` that was read from the provider's cache. */
  cached?: number
  /** The part of `input` that was written to it. */
  cacheWrite?: number
  /** The part of `cacheWrite` that is kept for an hour instead of minutes. */
  cacheWrite1h?: number
  usd: number | null
  /** True when the provider said nothing and the figures are counted by characters. */
  estimated?: boolean
  /** The one of several models that replied. */
  model?: string
}

export type FailureKind =
  | 'auth'
  | 'payment'
  | 'forbidden'
  | 'not_found'
  | 'context_too_long'
  | 'filter'
  | 'tools_unsupported'
  | 'bad_request'
  | 'rate_limit'
  | 'server'
  | 'unreachable'
  | 'broken'
  | 'stalled'
  | 'cancelled'
  | 'script_exhausted'
  | 'replay_miss'
  | 'internal'

/** Why there is no reply: one line without keys, in the provider's words where it used words. */
export interface ModelFailure {
  kind: FailureKind
  message: string
  status?: number
  retryAfterMs?: number
  /** Another try would end the same way. */
  final?: true
  /** The request has not reached the endpoint, so it has cost nothing. */
  unsent?: true
}

/** `length`: the reply was cut at the output limit. `filter`: the provider withheld the rest. */
export type EndReason = 'stop' | 'calls' | 'length' | 'filter'

/** What the program found out about an endpoint: `text` is one line with the next step. */
export interface ModelNotice {
  code:
    | 'window_guessed'
    | 'tools_dropped'
    | 'prompt_cut'
    | 'model_switched'
    | 'rate_limit_wait'
    | 'slot_wait'
    | 'field_refused'
    | 'tool_refused'
    | 'calls_written'
  text: string
  /** The model that is asked from here on, where it is another one. */
  model?: string
}

export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** Comes only once the whole reply is here. */
  | ({ type: 'call' } & ModelToolCall)
  | ({ type: 'usage' } & TokenUsage)
  /**
   * Whatever this stream said before counts for nothing; it starts anew after `waitMs`. `attempt` counts from
   * 2 to `tries`.
   */
  | { type: 'discarded'; failure: ModelFailure; attempt: number; tries?: number; waitMs: number }
  /** Something a person should know of the endpoint; the reply goes on. */
  | ({ type: 'notice' } & ModelNotice)
  | { type: 'end'; reason: EndReason; carry?: ModelCarry }
  | { type: 'failure'; failure: ModelFailure }

/**
 * `stream` never throws and never rejects. Its last event is exactly one `end` or one `failure`. Aborting
 * `signal` ends it with a failure of kind `cancelled`; leaving the loop early frees whatever the stream
 * holds.
 */
export interface Model {
  /** As the person would write it: `openai/gpt-5.4`, `builtin/extract`, `script:replies.jsonl`. */
  readonly id: string
  readonly kind: 'llm' | 'rules' | 'script'
  /** What people should know about it, for banners and report headers. */
  readonly note?: string
  /** Context window in tokens. */
  readonly window: number
  /** True when PDFs can be sent as documents; else their text is sent. */
  readonly takesDocuments?: boolean
  /** US dollars for a million tokens, at most; absent when the price is unknown. */
  readonly rates?: { readonly input: number; readonly output: number }
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}
