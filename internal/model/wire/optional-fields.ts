// The model of one endpoint, which learns from refusals which fields, tools and documents to omit.

import { type EndpointTrait, rememberTrait } from '../endpoint/endpoint-memory.ts'
import type { Model, ModelEvent, ModelFailure, ModelMessage, ModelRequest, ToolSpec } from '../model.ts'
import { ratesOf } from '../prices.ts'
import { cleanReply, replyHabits } from '../reply/clean-reply.ts'
import { fitDocuments, hasDocuments, refusesDocuments } from '../strict/documents.ts'
import { findRefusedTools, type RefusedTools, refusedToolsOf } from '../strict/refused-tool.ts'
import { fitRequest, restoreEvent } from '../strict/request-fit.ts'
import { failureOf, HttpStatusError } from './endpoint-failure.ts'
import { adviseOn } from './failure-advice.ts'
import { describeEndpoint, guardReply, type ModelEndpoint } from './model-endpoint.ts'

/**
 * Fields that a request can do without. Of several that a refusal mentions, the first in this
 * order is omitted.
 */
const optional = [
  'stream_options',
  'cache_control',
  'prompt_cache_key',
  'output_config',
  'reasoning_effort',
  'reasoning',
  'thinking',
  'usage',
  'include',
  'max_completion_tokens',
  'max_tokens',
  'max_output_tokens',
  'parallel_tool_calls',
  'tool_choice',
] as const

const refusal = new RegExp(
  [
    'unsupported|not support|unknown|unrecogni[sz]ed|unexpected|not permitted|',
    'not allowed|invalid|extra|not verified|does not (exist|accept)',
  ].join(''),
  'i',
)

/**
 * Reads which optional field of the request `failure` refuses, omits it from now on, stores that for
 * later runs and yields a notice. Returns false if the failure refuses no such field; otherwise another
 * attempt can succeed.
 */
function* giveUpField(
  endpoint: ModelEndpoint,
  failure: ModelFailure,
  sentFields: Iterable<string>,
  omitted: Set<string>,
): Generator<ModelEvent, boolean> {
  const field = dropUnsupportedField(failure, sentFields, omitted)
  if (field === undefined) return false
  rememberTrait(endpoint, field)
  const where = describeEndpoint(endpoint)
  const text = `${where} does not take ${field}: ${costOf[field] ?? ''}it is left out from now on`
  yield { type: 'notice', code: 'field_refused', text }
  return true
}

/** What the user loses when a field is omitted, by field. */
const costOf: Readonly<Record<string, string>> = {
  cache_control: 'nothing is kept of a prompt, each is paid for in full; ',
  stream_options: 'tokens are estimated; ',
}

/**
 * Returns the optional field of `sentFields` that `failure` refuses, and adds it to `omitted`; undefined
 * without one. Each field is returned only once, so repeated attempts end.
 */
export function dropUnsupportedField(
  failure: ModelFailure,
  sentFields: Iterable<string>,
  omitted: Set<string>,
): string | undefined {
  if (failure.kind !== 'bad_request' || !refusal.test(failure.message)) return undefined
  const present = new Set(sentFields)
  const field = optional.find(
    (name) => present.has(name) && !omitted.has(name) && isMentioned(failure.message, name),
  )
  if (field !== undefined) omitted.add(field)
  return field
}

/**
 * Returns true if the message contains the field or one of its inner fields (`reasoning.summary`). For
 * `include`, it may describe encrypted content instead.
 */
function isMentioned(message: string, name: string): boolean {
  if (new RegExp(`(^|[^a-z_])${name}([^a-z_]|$)`, 'i').test(message)) return true
  return name === 'include' ? /encrypted.?content/i.test(message) : false
}

/**
 * Omits the tools of other programs that a refusal mentions and announces that. Returns false if
 * it mentions none.
 */
function* dropTools(
  endpoint: ModelEndpoint,
  answer: HttpStatusError,
  { message }: ModelFailure,
  sentTools: readonly ToolSpec[],
  refused: RefusedTools,
): Generator<ModelEvent, boolean> {
  const tools = findRefusedTools(answer, sentTools)
  if (tools.length === 0) return false
  refused.add(tools)
  const names = tools.map(({ name }) => name).join(', ')
  const text =
    `${describeEndpoint(endpoint)} refuses the tool ${names}: the run continues without it; ` +
    `report the refusal to the author of the tool: ${message}`
  yield { type: 'notice', code: 'tool_refused', text }
  return true
}

const documentTrait: EndpointTrait = 'no_documents'

/**
 * If the endpoint refuses documents, sends PDFs as text from now on and announces that. Returns false for any
 * other refusal, and if `sentMessages` contain no document.
 */
function* giveUpDocuments(
  endpoint: ModelEndpoint,
  failure: ModelFailure,
  sentMessages: readonly ModelMessage[],
  omitted: Set<string>,
): Generator<ModelEvent, boolean> {
  if (omitted.has(documentTrait) || !hasDocuments(sentMessages) || !refusesDocuments(failure)) return false
  omitted.add(documentTrait)
  rememberTrait(endpoint, documentTrait)
  const text = `${describeEndpoint(endpoint)} does not take documents: PDFs are sent as text from now on`
  yield { type: 'notice', code: 'field_refused', text }
  return true
}

/** One request in a wire format. A new one is made for every attempt. */
interface WireAttempt {
  /** Fields of the request's body other than the conversation. */
  fields: Readonly<Record<string, unknown>>
  /** Sends the request and yields its events. Throws the errors of `streamEvents`. */
  reply(): AsyncIterable<ModelEvent>
  /** Returns true if the endpoint's refusal shows a rule that changes how the next attempt is written. */
  learn?(failure: ModelFailure): boolean
}

/**
 * Creates the model, which retries a request only after a refusal that it can adapt to. `write` omits the
 * fields in `omitted`; refused fields are added to this set.
 */
export function createEndpointModel(
  endpoint: ModelEndpoint,
  omitted: Set<string>,
  write: (request: ModelRequest, signal: AbortSignal) => WireAttempt,
): Model {
  const key = `${endpoint.endpoint.baseUrl} ${endpoint.model}`
  const refusedTools = refusedToolsOf(key)
  const habits = replyHabits(key)
  async function* ask(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    for (;;) {
      const areTaken = endpoint.takesDocuments === true && !omitted.has(documentTrait)
      const messages = fitDocuments(request.messages, areTaken)
      const fitted = refusedTools.leaveOut(fitRequest({ ...request, messages }))
      const attempt = write(fitted, signal)
      try {
        const reply = cleanReply(attempt.reply(), request, endpoint.id, habits)
        for await (const event of reply) yield restoreEvent(event, request)
        return
      } catch (error) {
        if (!(error instanceof HttpStatusError)) throw error
        const failure = failureOf(error, describeEndpoint(endpoint), endpoint.keys)
        if (yield* dropTools(endpoint, error, failure, fitted.tools, refusedTools)) continue
        if (attempt.learn?.(failure)) continue
        if (yield* giveUpDocuments(endpoint, failure, messages, omitted)) continue
        if (yield* giveUpField(endpoint, failure, Object.keys(attempt.fields), omitted)) continue
        return yield { type: 'failure', failure: await adviseOn(failure, endpoint, signal) }
      }
    }
  }
  return {
    id: endpoint.id,
    kind: 'llm',
    window: endpoint.window,
    takesDocuments: endpoint.takesDocuments ? true : undefined,
    ...ratesOf(endpoint.price),
    stream: (request, signal) => guardReply(endpoint, signal, (inner) => ask(request, inner)),
  }
}
