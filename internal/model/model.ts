// The interface of a model: messages in, a stream of events out, and the types of both. Knows no provider.

/** A piece of content. Images are base64 without a data: prefix. */
export type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'image'; mime: string; base64: string }
  | DocumentPart

/**
 * A PDF as base64 without a data: prefix. `text` is the text of the PDF, which is also part of the preceding
 * text part of the message.
 */
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
 * A tool call of a response. With `malformed`, the call must not run: `args` is undefined, and the model must
 * get the error in `malformed`. Ids are unique within one response.
 */
export interface ModelToolCall {
  id: string
  name: string
  args: unknown
  malformed?: MalformedArgs
}

/**
 * Opaque data of a response, such as encrypted reasoning, that later requests have to send back unchanged.
 * Only the model with the id `from` can read it.
 */
export interface ModelCarry {
  from: string
  value: unknown
}

/** Id and path of the evidence as which a study stored the content of a tool result. */
export interface ResultEvidence {
  id: string
  path?: string
}

export type ModelMessage =
  | { role: 'system'; content: string }
  /** `origin` is set for notes of Anode and for mail. Messages of the user have none. */
  | {
      role: 'user'
      content: MessageContent
      origin?: 'note' | 'mail'
      /**
       * What the user typed, if `content` is the text of another author, for example a prompt of
       * an MCP server.
       */
      typed?: string
    }
  | { role: 'assistant'; content: string; calls?: readonly ModelToolCall[]; carry?: ModelCarry }
  /**
   * `data` (the structured result) and `evidence` never leave this machine, because only local
   * models read them.
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

/** A tool for a model. `schema` is the JSON Schema of the arguments. */
export interface ToolSpec {
  name: string
  description: string
  schema: Readonly<Record<string, unknown>>
  /**
   * True for a tool of another program (an MCP server, a plugin, a toolbox). If an endpoint refuses it,
   * requests are sent without it.
   */
  foreign?: true
}

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/** The purpose of a request and its task. Models that are not language models choose their response by it. */
export interface RequestMeta {
  purpose: 'work' | 'plan' | 'verify' | 'synthesise' | 'conclude' | 'compact'
  input?: unknown
  /**
   * Id of the task that the request belongs to. A `script:` file gives each task its responses in
   * a separate order.
   */
  task?: string
  /**
   * Number of responses that this task got before this process started, known from stored events; a `script:`
   * model skips as many.
   */
  taken?: number
}

export interface ModelRequest {
  messages: readonly ModelMessage[]
  tools: readonly ToolSpec[]
  /** `none`: the model gets the tools, so that a cached prefix still matches, but may call none. */
  toolChoice?: 'none'
  effort?: Effort
  /** Upper limit of output tokens. */
  maxOutput?: number
  /** Epoch milliseconds after which another attempt is useless. */
  deadline?: number
  /** Key that is equal for requests with the same beginning, so that a provider finds their cached prefix. */
  cacheKey?: string
  meta?: RequestMeta
}

/** Tokens of one request. `usd` is null if the price is unknown, never 0 for that reason. */
export interface TokenUsage {
  input: number
  output: number
  /** The part of `input` that was read from the provider's cache. */
  cached?: number
  /** The part of `input` that was written to the cache of the provider. */
  cacheWrite?: number
  /** The part of `cacheWrite` that is stored for an hour instead of minutes. */
  cacheWrite1h?: number
  usd: number | null
  /**
   * True if the provider did not report the tokens of input or of output, so that the missing number is
   * estimated from characters.
   */
  estimated?: boolean
  /** Id of the model that responded, if the model has fallbacks. */
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

/** The reason of a failed request: one line without keys, in the provider's words if it has any. */
export interface ModelFailure {
  kind: FailureKind
  message: string
  status?: number
  retryAfterMs?: number
  /** Set if another attempt would fail in the same way. */
  final?: true
  /** Set if the request did not reach the endpoint, so that it has cost nothing. */
  unsent?: true
}

/**
 * Why a response ended. `length`: truncated at the output limit. `filter`: the provider withheld the rest, or
 * it is unknown whether the calls are complete.
 */
export type EndReason = 'stop' | 'calls' | 'length' | 'filter'

/**
 * A fact that Anode found out about an endpoint. `text` is one line, with the next step if the user
 * can do something.
 */
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
  /** The model for requests from now on, if it changes. */
  model?: string
}

export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** A tool call. Sent only after the response has ended. */
  | ({ type: 'call' } & ModelToolCall)
  | ({ type: 'usage' } & TokenUsage)
  /**
   * Discards all earlier events of this stream, which starts again after `waitMs`. `attempt` counts from 2 to
   * `tries`; it is 1 after a switch to a fallback model, and if the text so far was reasoning.
   */
  | { type: 'discarded'; failure: ModelFailure; attempt: number; tries?: number; waitMs: number }
  /** A fact about the endpoint for the user. The response continues. */
  | ({ type: 'notice' } & ModelNotice)
  | { type: 'end'; reason: EndReason; carry?: ModelCarry }
  | { type: 'failure'; failure: ModelFailure }

/**
 * A model. `stream` never throws or rejects. Its last event is exactly one `end` or one `failure`.
 * Aborting `signal` ends it with a failure of kind `cancelled`. Leaving the loop early frees the resources
 * of the stream.
 */
export interface Model {
  /** Id as a user writes it: `openai/gpt-5.4`, `builtin/extract`, `script:replies.jsonl`. */
  readonly id: string
  readonly kind: 'llm' | 'rules' | 'script'
  /** Note about the model for users, in banners and report headers. */
  readonly note?: string
  /** Context window in tokens. */
  readonly window: number
  /** True if PDFs can be sent as documents. Otherwise their text is sent. */
  readonly takesDocuments?: boolean
  /** Highest price in US dollars for a million tokens; undefined if the price is unknown. */
  readonly rates?: { readonly input: number; readonly output: number }
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}
