// A model with the Chat Completions API, of OpenAI or any compatible endpoint.
import { createUlid } from '../base/ids.ts'
import { BrokenConnectionError } from './endpoint/connection-errors.ts'
import { type EndpointTrait, refusedFields, rememberTrait } from './endpoint/endpoint-memory.ts'
import type { Model, ModelEvent, ModelFailure, ModelRequest } from './model.ts'
import { isEndWithoutReason } from './reply/missing-reason.ts'
import { newEnding } from './reply/stream-ending.ts'
import { finalizeCalls } from './tool-calls.ts'
import { cacheControl } from './wire/cache-mark.ts'
import { carryOf, endOf, foldChunk, isReadable, newReply, stateOf } from './wire/chat-fold.ts'
import { messageWriter, writeTools } from './wire/chat-messages.ts'
import { streamEvents } from './wire/endpoint-client.ts'
import { StreamErrorEvent } from './wire/endpoint-failure.ts'
import { effortFields } from './wire/endpoint-quirks.ts'
import { fitOutput, type ModelEndpoint, usageOf } from './wire/model-endpoint.ts'
import { createEndpointModel } from './wire/optional-fields.ts'
import type { RequestBody } from './wire/request-body.ts'

/**
 * Creates the model. It repeats a request only after a refusal that it can adapt to; callers
 * retry other failures.
 */
export function createChatModel(endpoint: ModelEndpoint): Model {
  const omitted = refusedFields(endpoint)
  const writers = new Map<string, ReturnType<typeof messageWriter>>()
  const writerOf = () => {
    const returned = reasoningTraits.find((trait) => omitted.has(trait))
    const noUserAfterResults = omitted.has(orderTrait)
    const key = `${returned} ${noUserAfterResults}`
    const quirks = { ...endpoint.quirks, returned }
    if (noUserAfterResults) quirks.noUserAfterResults = true
    const writer = writers.get(key) ?? messageWriter(endpoint.id, quirks)
    writers.set(key, writer)
    return writer
  }
  return createEndpointModel(endpoint, omitted, (request, signal) => {
    const fields = fieldsOf(endpoint, request, omitted)
    const cache = fields.cache_control === undefined ? undefined : endpoint.cache || '5m'
    const reply = () =>
      streamReply(
        endpoint,
        request,
        joinBody(fields, writerOf()(request.messages, cache), request),
        omitted,
        signal,
      )
    return { fields, reply, learn: (failure) => learnTrait(endpoint, failure, omitted) }
  })
}

const reasoningTraits = ['no_returned_reasoning', 'needs_reasoning'] as const

const orderTrait: EndpointTrait = 'no_user_after_results'

/**
 * Returns true if a refusal of the endpoint shows a new rule about messages. The rule is stored, so that the
 * next attempt follows it.
 */
function learnTrait(
  endpoint: ModelEndpoint,
  { kind, message }: ModelFailure,
  knownTraits: Set<string>,
): boolean {
  if (kind !== 'bad_request') return false
  const trait = reasoningTraitIn(message) ?? (wrongOrder.test(message) ? orderTrait : undefined)
  const others: readonly string[] = trait === orderTrait ? [orderTrait] : reasoningTraits
  if (trait === undefined || others.some((one) => knownTraits.has(one))) return false
  knownTraits.add(trait)
  rememberTrait(endpoint, trait)
  return true
}

/**
 * Matches refusals of a message order, by Mistral ("Unexpected role 'user' after role 'tool'") and by chat
 * templates ("roles must alternate").
 */
const wrongOrder = /\brole\W{1,3}user\W.{0,20}\bafter\b.{0,20}\btool\b|\broles must alternate/i

function reasoningTraitIn(message: string): EndpointTrait | undefined {
  if (!/reasoning_(content|details)|['".]reasoning\b/.test(message)) return undefined
  const isWanted = /passed? back|missing|required|must (be|have|contain)/i.test(message)
  return isWanted ? 'needs_reasoning' : 'no_returned_reasoning'
}

/** Returns the fields of the body except messages and tools, without `omitted`. */
function fieldsOf(
  endpoint: ModelEndpoint,
  request: ModelRequest,
  omitted: ReadonlySet<string>,
): Record<string, unknown> {
  const { quirks, model } = endpoint
  const fields: Record<string, unknown> = {
    model,
    stream: true,
    ...effortFields(request.effort, model, quirks),
  }
  if (!quirks.noStreamOptions) fields.stream_options = { include_usage: true }
  if (quirks.cacheKey && request.cacheKey !== undefined) fields.prompt_cache_key = request.cacheKey
  // This field makes the provider cache the conversation up to its end. `markedSystem` in chat-messages.ts
  // sets a second cache mark, at the system message.
  if (quirks.cacheControl?.test(model) && endpoint.cache !== false)
    fields.cache_control = cacheControl(endpoint.cache ?? '5m')
  if (quirks.reportsCost) fields.usage = { include: true }
  if (request.maxOutput !== undefined) {
    // An endpoint that refused the newer field name `max_completion_tokens` gets the older name `max_tokens`.
    const old = quirks.maxTokens || omitted.has('max_completion_tokens')
    fields[old ? 'max_tokens' : 'max_completion_tokens'] = fitOutput(endpoint, request, request.maxOutput)
  }
  if (request.toolChoice === 'none' && request.tools.length > 0) fields.tool_choice = 'none'
  for (const name of omitted) delete fields[name]
  return fields
}

/**
 * Returns the request body. Tools and messages are passed as JSON text, so they are not serialized again
 * in each turn.
 */
function joinBody(
  fields: Record<string, unknown>,
  messages: RequestBody,
  request: ModelRequest,
): RequestBody {
  const head = JSON.stringify(fields).slice(0, -1)
  const tools = request.tools.length > 0 ? [',"tools":', writeTools(request.tools)] : []
  return [head, ...tools, ',"messages":', ...messages, '}']
}

async function* streamReply(
  endpoint: ModelEndpoint,
  request: ModelRequest,
  body: RequestBody,
  knownTraits: Set<string>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const reply = newReply()
  const ending = newEnding()
  const { endpoint: at } = endpoint
  for await (const chunk of streamEvents<unknown>(at, '/chat/completions', body, signal, ending)) {
    const delta = foldChunk(reply, chunk)
    ending.state = stateOf(reply)
    if (delta.reasoning !== '') yield { type: 'reasoning', text: delta.reasoning }
    if (delta.text !== '') yield { type: 'text', text: delta.text }
  }
  if (reply.finish === undefined && isReadable(reply) && isEndWithoutReason(endpoint, ending, knownTraits))
    reply.finish = 'stop'
  const reason = endOf(reply)
  if (reason === undefined) {
    if (reply.finish !== undefined)
      throw new StreamErrorEvent({
        message: `the provider ended the reply with ${JSON.stringify(reply.finish)}`,
      })
    throw new BrokenConnectionError(false, new Error('the reply stops without saying why it ended'))
  }
  const calls = finalizeCalls(
    reply.calls,
    reason === 'length' || reason === 'filter',
    () => `call_${createUlid()}`,
    request.messages,
  )
  for (const call of calls) yield { type: 'call', ...call }
  const { usage } = reply
  const reported = {
    input: usage?.prompt_tokens,
    output: usage?.completion_tokens,
    cached: usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens,
    cacheWrite: usage?.prompt_tokens_details?.cache_write_tokens,
    usd: usage?.cost,
  }
  const text = reply.text + reply.reasoning + reply.calls.map((call) => call.name + call.raw).join('')
  yield { type: 'usage', ...usageOf(endpoint, request, reported, text) }
  const ids = calls.map((call) => call.id)
  const value = carryOf(reply, ids, endpoint.quirks.returnReasoning === true)
  yield value === undefined
    ? { type: 'end', reason }
    : { type: 'end', reason, carry: { from: endpoint.id, value } }
}
