// A model behind the Responses API. Nothing is stored at the provider: reasoning goes back and forth
// encrypted.
import type { ResponseStreamEvent } from 'openai/resources/responses/responses'
import { createUlid } from '../base/ids.ts'
import { type JsonObject, listOf, objectOf, stringOf } from '../base/untrusted-json.ts'
import { nearestEffort } from './effort.ts'
import type { EndReason, Model, ModelEvent, ModelRequest } from './model.ts'
import { type CallDraft, checkReplySize, finalizeCalls } from './tool-calls.ts'
import { streamEvents } from './wire/endpoint-client.ts'
import { StreamErrorEvent } from './wire/endpoint-failure.ts'
import { argumentText, nameOf } from './wire/foreign-json.ts'
import { BrokenConnectionError } from './wire/http-transport.ts'
import { fitOutput, type ModelEndpoint, usageOf } from './wire/model-endpoint.ts'
import { createEndpointModel, refusedFields } from './wire/optional-fields.ts'
import { listTexts, type RequestBody } from './wire/request-body.ts'
import { itemText, itemWriter, responseTools } from './wire/response-items.ts'

/** The model itself, without retries. */
export function createResponsesModel(endpoint: ModelEndpoint): Model {
  const omitted = refusedFields(endpoint)
  const write = itemWriter(carrier(endpoint), new URL(endpoint.endpoint.baseUrl).host !== 'api.openai.com')
  return createEndpointModel(endpoint, omitted, (request, signal) => {
    const fields = fieldsOf(endpoint, request, omitted)
    const reply = () => turn(endpoint, request, join(fields, write(request.messages), request), signal)
    return { fields, reply }
  })
}

const carrier = (endpoint: ModelEndpoint) => `${endpoint.id}#responses`

/** Everything of the body but tools and input. */
function fieldsOf(
  endpoint: ModelEndpoint,
  request: ModelRequest,
  omitted: ReadonlySet<string>,
): Record<string, unknown> {
  const accepted = endpoint.quirks.efforts?.find(([form]) => form.test(endpoint.model))?.[1]
  const effort = accepted && request.effort && nearestEffort(request.effort, accepted)
  const body: Record<string, unknown> = { model: endpoint.model, stream: true, store: false }
  if (accepted) {
    body.reasoning = effort === undefined ? { summary: 'auto' } : { effort, summary: 'auto' }
    body.include = ['reasoning.encrypted_content']
  }
  if (request.maxOutput !== undefined) {
    body.max_output_tokens = fitOutput(endpoint, request, request.maxOutput)
  }
  if (request.cacheKey !== undefined) body.prompt_cache_key = request.cacheKey
  if (request.toolChoice === 'none' && request.tools.length > 0) body.tool_choice = 'none'
  for (const name of omitted) delete body[name]
  return body
}

/** The long parts come serialised; they are not taken apart again each turn. */
function join(fields: Record<string, unknown>, input: readonly object[], request: ModelRequest): RequestBody {
  const head = JSON.stringify(fields).slice(0, -1)
  const tools = request.tools.length > 0 ? [',"tools":', responseTools(request.tools)] : []
  return [head, ...tools, ',"input":', ...listTexts(input.map(itemText)), '}']
}

interface Reply {
  text: string
  /** Characters of text and finished items. */
  size: number
  isRefused: boolean
  items: unknown[]
  /** The event that ended it. */
  end?: { type: string; response: JsonObject }
}

async function* turn(
  endpoint: ModelEndpoint,
  request: ModelRequest,
  body: RequestBody,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const reply: Reply = { text: '', size: 0, isRefused: false, items: [] }
  for await (const event of streamEvents<JsonObject>(endpoint.endpoint, '/responses', body, signal)) {
    const shown = take(reply, event)
    if (shown) yield shown
  }
  if (!reply.end)
    throw new BrokenConnectionError(false, new Error('the reply stops without saying why it ended'))
  const { response } = reply.end
  const output = listOf(response.output)
  const items = output.length > 0 ? output : reply.items
  const drafts = items.flatMap(draftOf)
  checkReplySize(0, drafts.length)
  const reason = reasonOf(reply, items, drafts.length > 0)
  for (const call of finalizeCalls(
    drafts,
    reason === 'length' || reason === 'filter',
    () => `call_${createUlid()}`,
  ))
    yield { type: 'call', ...call }
  const usage = objectOf(response.usage)
  const reported = {
    input: usage?.input_tokens,
    output: usage?.output_tokens,
    cached: objectOf(usage?.input_tokens_details)?.cached_tokens,
  }
  const text = reply.text + drafts.map((draft) => draft.name + draft.raw).join('')
  yield { type: 'usage', ...usageOf(endpoint, request, reported, text) }
  const value = items.filter((item) => isKind(item, 'reasoning') && objectOf(item)?.encrypted_content)
  yield value.length === 0
    ? { type: 'end', reason }
    : { type: 'end', reason, carry: { from: carrier(endpoint), value } }
}

const isKind = (item: unknown, type: string) => objectOf(item)?.type === type

function draftOf(item: unknown): CallDraft[] {
  const { type, call_id, name, arguments: raw } = objectOf(item) ?? {}
  return type === 'function_call' ? [{ id: nameOf(call_id), name: nameOf(name), raw: argumentText(raw) }] : []
}

/** Takes one event in; returns what of it can be shown. Throws for an event that says the reply failed. */
function take(reply: Reply, event: JsonObject): ModelEvent | undefined {
  const delta = stringOf(event.delta)
  // every kind of delta counts, also those of arguments, which come again in the finished item
  reply.size += delta.length
  checkReplySize(reply.size, reply.items.length)
  switch (event.type as ResponseStreamEvent['type']) {
    case 'response.refusal.delta':
      reply.isRefused = true
      return addText(reply, delta)
    case 'response.output_text.delta':
      return addText(reply, delta)
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return delta === '' ? undefined : { type: 'reasoning', text: delta }
    case 'response.output_item.done':
      // what comes behind the end belongs to no reply
      if (!reply.end) reply.items.push(event.item)
      return undefined
    case 'response.completed':
    case 'response.incomplete':
      endReply(reply, event)
      return undefined
    case 'response.failed':
      throw new StreamErrorEvent(objectOf(event.response)?.error)
    case 'error':
      throw new StreamErrorEvent(event)
    default:
      return undefined
  }
}

function addText(reply: Reply, text: string): ModelEvent | undefined {
  reply.text += text
  return text === '' ? undefined : { type: 'text', text }
}

/** The first end counts, and its status more than the name of its event. */
function endReply(reply: Reply, event: JsonObject) {
  const response = objectOf(event.response) ?? {}
  if (response.status === 'failed') throw new StreamErrorEvent(response.error)
  if (response.status === 'cancelled')
    throw new StreamErrorEvent({ message: 'the provider cancelled the reply' })
  reply.end ??= { type: String(event.type), response }
}

function reasonOf(reply: Reply, items: readonly unknown[], hasCalls: boolean): EndReason {
  const { type, response } = reply.end as NonNullable<Reply['end']>
  const isRefused = items.some((item) =>
    listOf(objectOf(item)?.content).some((part) => isKind(part, 'refusal')),
  )
  if (type === 'response.incomplete' || response.status === 'incomplete') {
    const why = nameOf(objectOf(response.incomplete_details)?.reason)
    return why === 'max_output_tokens' || (why === '' && !hasCalls) ? 'length' : 'filter'
  }
  if (reply.isRefused || isRefused) return 'filter'
  // a status that nobody knows may mean anything
  const isWhole = response.status === undefined || response.status === 'completed'
  if (!hasCalls) return 'stop'
  return isWhole ? 'calls' : 'filter'
}
