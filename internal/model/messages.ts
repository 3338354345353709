// A model with the Messages API, of Anthropic or any compatible endpoint.
import { createUlid } from '../base/ids.ts'
import type { JsonObject } from '../base/untrusted-json.ts'
import { BrokenConnectionError } from './endpoint/connection-errors.ts'
import { refusedFields } from './endpoint/endpoint-memory.ts'
import { changePath } from './endpoint/endpoint-url.ts'
import type { Model, ModelEvent, ModelRequest } from './model.ts'
import { isEndWithoutReason } from './reply/missing-reason.ts'
import { newEnding } from './reply/stream-ending.ts'
import { finalizeCalls } from './tool-calls.ts'
import { cacheControl } from './wire/cache-mark.ts'
import { type HttpEndpoint, streamEvents } from './wire/endpoint-client.ts'
import { StreamErrorEvent } from './wire/endpoint-failure.ts'
import { endReasonOf } from './wire/finish-reason.ts'
import { messagesCarry, messagesTools, messagesWriter, textOfBlocks } from './wire/messages-blocks.ts'
import {
  foldMessagesEvent,
  isReadable,
  type MessagesBlock,
  type MessagesReply,
  type MessagesUsage,
  newMessagesReply,
} from './wire/messages-fold.ts'
import { thinkingFields, thinkingHeaders } from './wire/messages-thinking.ts'
import { fitOutput, type ModelEndpoint, usageOf } from './wire/model-endpoint.ts'
import { createEndpointModel } from './wire/optional-fields.ts'
import { listTexts, type RequestBody } from './wire/request-body.ts'

/** Default limit of the output tokens of one response, because the API requires a number. */
const usualMaxTokens = 32_000

/** Largest number of requests that continue one response after the provider has paused it. */
const maxPauses = 8

/** Limits learned from refusals of an endpoint. */
interface LearnedLimits {
  omitted: Set<string>
  /** Largest number of output tokens that the model accepts. */
  maxTokens: number
}

/**
 * Creates the model. It repeats a request only after a refusal that it can adapt to; callers
 * retry other failures.
 */
export function createMessagesModel(modelEndpoint: ModelEndpoint): Model {
  const endpoint = { ...modelEndpoint, endpoint: messagesEndpoint(modelEndpoint) }
  const write = messagesWriter(carrierOf(endpoint))
  const learned: LearnedLimits = { omitted: refusedFields(endpoint), maxTokens: usualMaxTokens }
  return createEndpointModel(endpoint, learned.omitted, (request, signal) => {
    const fields = fieldsOf(endpoint, request, learned)
    return {
      fields,
      reply: () => streamReply(endpoint, request, fields, write, learned.omitted, signal),
      learn: ({ message }) => learnMaxTokens(message, fields.max_tokens, learned),
    }
  })
}

const carrierOf = (endpoint: ModelEndpoint) => `${endpoint.id}#messages`

/**
 * Returns the endpoint with the URL and the headers of this API. The provider (Anthropic) reads the key from
 * `x-api-key`; gateways read it from `x-api-key` or `authorization`, so they get both.
 */
function messagesEndpoint({ endpoint, model }: ModelEndpoint): HttpEndpoint {
  const { key, headers } = endpoint
  const baseUrl = changePath(endpoint.baseUrl, (path) =>
    /\/(v\d+|messages)$/.test(path) ? path : `${path}/v1`,
  )
  const isProvider = new URL(baseUrl).host === 'api.anthropic.com'
  const ownHeaders: Record<string, string> = { 'anthropic-version': '2023-06-01', ...thinkingHeaders(model) }
  if (key !== undefined) ownHeaders['x-api-key'] = key
  return { ...endpoint, baseUrl, key: isProvider ? undefined : key, headers: { ...ownHeaders, ...headers } }
}

type MessagesFields = Record<string, unknown> & { max_tokens: number }

/**
 * Returns the fields of the body except tools, system text, messages and the fields that
 * the endpoint refuses.
 */
function fieldsOf(endpoint: ModelEndpoint, request: ModelRequest, learned: LearnedLimits): MessagesFields {
  const requestedTokens = Math.min(request.maxOutput ?? usualMaxTokens, learned.maxTokens)
  const max_tokens = fitOutput(endpoint, request, requestedTokens)
  const fields: MessagesFields = {
    model: endpoint.model,
    max_tokens,
    stream: true,
    ...thinkingFields(request.effort, endpoint.model, max_tokens),
  }
  const cache = endpoint.cache ?? '5m'
  if (cache !== false) fields.cache_control = cacheControl(cache)
  if (request.toolChoice === 'none' && request.tools.length > 0) fields.tool_choice = { type: 'none' }
  for (const name of learned.omitted) delete fields[name]
  return fields
}

/**
 * Matches a refusal such as "max_tokens: 64000 > 8192, which is the maximum allowed number of output
 * tokens for …".
 */
const outputLimit = /max_tokens\D{0,20}(\d+)\s*>\s*(\d+)/

function learnMaxTokens(message: string, sentTokens: number, learned: LearnedLimits): boolean {
  const limit = Number(outputLimit.exec(message)?.[2] ?? 0)
  if (!(limit > 0 && limit < sentTokens)) return false
  learned.maxTokens = limit
  return true
}

type MessagesText = ReturnType<ReturnType<typeof messagesWriter>>

/**
 * Returns the request body. Tools and messages are passed as JSON text, so they are not serialized again
 * in each turn.
 */
function joinBody(
  fields: MessagesFields,
  text: MessagesText,
  request: ModelRequest,
  paused: readonly object[],
): RequestBody {
  const cache = fields.cache_control === undefined ? undefined : cacheOf(fields.cache_control)
  const head = JSON.stringify(fields).slice(0, -1)
  const tools = request.tools.length > 0 ? [',"tools":', messagesTools(request.tools, cache)] : []
  const system = text.system === '[]' ? '' : `,"system":${text.system}`
  const more = paused.length === 0 ? [] : [JSON.stringify({ role: 'assistant', content: paused })]
  const messages = listTexts([...text.messages, ...more])
  return [head, ...tools, system, ',"messages":', ...messages, '}']
}

const cacheOf = (control: unknown) => ((control as { ttl?: '1h' }).ttl === '1h' ? '1h' : '5m')

/**
 * Yields one response. If the provider pauses the response, up to `maxPauses` further requests continue it.
 */
async function* streamReply(
  endpoint: ModelEndpoint,
  request: ModelRequest,
  fields: MessagesFields,
  write: ReturnType<typeof messagesWriter>,
  knownTraits: Set<string>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const cache = fields.cache_control === undefined ? undefined : cacheOf(fields.cache_control)
  const text = write(request.messages, cache)
  const before: MessagesBlock[] = []
  const pausedUsage: MessagesUsage = {}
  for (let pauses = 0; ; pauses++) {
    const reply = newMessagesReply()
    const body = joinBody(fields, text, request, before.map(sentBlock))
    const ending = newEnding()
    const { endpoint: at } = endpoint
    for await (const event of streamEvents<JsonObject>(at, '/messages', body, signal, ending)) {
      const delta = foldMessagesEvent(reply, event)
      ending.state = reply.isStopped ? 'closed' : reply.finish === undefined ? 'open' : 'closing'
      if (delta.reasoning !== '') yield { type: 'reasoning', text: delta.reasoning }
      if (delta.text !== '') yield { type: 'text', text: delta.text }
    }
    if (reply.finish === undefined && isReadable(reply) && isEndWithoutReason(endpoint, ending, knownTraits))
      reply.finish = 'end_turn'
    reply.blocks.unshift(...before.splice(0))
    addUsage(reply.usage, pausedUsage)
    if (reply.finish !== 'pause_turn' || pauses === maxPauses)
      return yield* finishReply(endpoint, request, reply)
    before.push(...reply.blocks)
    Object.assign(pausedUsage, reply.usage)
  }
}

/**
 * Adds `before`, the usage of the paused requests, to `usage`, because a response is paid for as the sum
 * of its requests.
 */
function addUsage(usage: MessagesUsage, before: MessagesUsage) {
  for (const kind of Object.keys(before) as (keyof MessagesUsage)[])
    usage[kind] = (usage[kind] ?? 0) + (before[kind] ?? 0)
}

/** Returns a block of a paused response in the form in which the next request sends it back. */
function sentBlock(block: MessagesBlock): object {
  if (block.type !== 'tool_use') return block
  const { id, name, raw } = block
  return { type: 'tool_use', id, name, input: raw === '' ? {} : JSON.parse(raw) }
}

function* finishReply(
  endpoint: ModelEndpoint,
  request: ModelRequest,
  reply: MessagesReply,
): Generator<ModelEvent> {
  const drafts = reply.blocks.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
  checkWhole(reply)
  const reason = endReasonOf(reply.finish, drafts.length > 0)
  if (reason === undefined)
    throw new StreamErrorEvent({
      message: `the provider ended the reply with ${JSON.stringify(reply.finish)}`,
    })
  const isCut = reason === 'length' || reason === 'filter'
  const calls = finalizeCalls(drafts, isCut, () => `call_${createUlid()}`, request.messages)
  for (const call of calls) yield { type: 'call', ...call }
  yield usageEvent(endpoint, request, reply)
  const value = messagesCarry(
    reply.blocks,
    calls.map(({ id }) => id),
  )
  yield value === undefined
    ? { type: 'end', reason }
    : { type: 'end', reason, carry: { from: carrierOf(endpoint), value } }
}

/**
 * Throws if the response is incomplete: it has no finish reason, has filled the context window, or ends
 * within a call that neither the limit of tokens nor a refusal has cut.
 */
function checkWhole({ finish, open }: MessagesReply) {
  if (finish === undefined)
    throw new BrokenConnectionError(false, new Error('the reply stops without saying why it ended'))
  // the window was full in the middle of the response: handled like a request that does not fit
  if (finish === 'model_context_window_exceeded')
    throw new StreamErrorEvent({ code: 400, message: 'the reply no longer fits into the context window' })
  const isCut = finish === 'max_tokens' || finish === 'refusal'
  if (!isCut && [...open.values()].some(({ type }) => type === 'tool_use'))
    throw new BrokenConnectionError(false, new Error('the reply ends in the middle of a call'))
}

function usageEvent(endpoint: ModelEndpoint, request: ModelRequest, reply: MessagesReply): ModelEvent {
  const { input, output, cacheRead = 0, cacheWrite = 0, cacheWrite1h } = reply.usage
  const reported = {
    input: input === undefined ? undefined : input + cacheRead + cacheWrite,
    output,
    cached: cacheRead,
    cacheWrite,
    cacheWrite1h,
  }
  const calls = reply.blocks
    .map((block) => (block.type === 'tool_use' ? block.name + block.raw : ''))
    .join('')
  return { type: 'usage', ...usageOf(endpoint, request, reported, textOfBlocks(reply.blocks) + calls) }
}
