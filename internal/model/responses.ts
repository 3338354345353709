// A model with the Responses API. The provider stores nothing: reasoning is sent back and forth encrypted.
import { createUlid } from '../base/ids.ts'
import { type JsonObject, objectOf } from '../base/untrusted-json.ts'
import { nearestEffort } from './effort.ts'
import { BrokenConnectionError } from './endpoint/connection-errors.ts'
import { refusedFields } from './endpoint/endpoint-memory.ts'
import type { Model, ModelEvent, ModelRequest } from './model.ts'
import { isEndWithoutReason } from './reply/missing-reason.ts'
import {
  draftOf,
  foldResponsesEvent,
  isReadable,
  itemsOf,
  newResponsesReply,
  responsesReason,
} from './reply/responses-fold.ts'
import { newEnding } from './reply/stream-ending.ts'
import { checkReplySize, finalizeCalls } from './tool-calls.ts'
import { streamEvents } from './wire/endpoint-client.ts'
import { fitOutput, type ModelEndpoint, usageOf } from './wire/model-endpoint.ts'
import { createEndpointModel } from './wire/optional-fields.ts'
import { listTexts, type RequestBody } from './wire/request-body.ts'
import { itemText, itemWriter, responsesCarry, responseTools } from './wire/response-items.ts'

/**
 * Creates the model. It repeats a request only after a refusal that it can adapt to; callers add retries
 * of other failures.
 */
export function createResponsesModel(endpoint: ModelEndpoint): Model {
  const omitted = refusedFields(endpoint)
  const write = itemWriter(carrierOf(endpoint), new URL(endpoint.endpoint.baseUrl).host !== 'api.openai.com')
  return createEndpointModel(endpoint, omitted, (request, signal) => {
    const fields = fieldsOf(endpoint, request, omitted)
    const reply = () =>
      streamReply(endpoint, request, joinBody(fields, write(request.messages), request), omitted, signal)
    return { fields, reply }
  })
}

const carrierOf = (endpoint: ModelEndpoint) => `${endpoint.id}#responses`

/** Returns the fields of the body except tools, input, and the fields in `omitted`. */
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

/**
 * Returns the request body as texts. The JSON of items and tools is cached, so they are not serialized again
 * in each turn.
 */
function joinBody(
  fields: Record<string, unknown>,
  input: readonly object[],
  request: ModelRequest,
): RequestBody {
  const head = JSON.stringify(fields).slice(0, -1)
  const tools = request.tools.length > 0 ? [',"tools":', responseTools(request.tools)] : []
  return [head, ...tools, ',"input":', ...listTexts(input.map(itemText)), '}']
}

async function* streamReply(
  endpoint: ModelEndpoint,
  request: ModelRequest,
  body: RequestBody,
  knownTraits: Set<string>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const reply = newResponsesReply()
  const ending = newEnding()
  const { endpoint: at } = endpoint
  for await (const event of streamEvents<JsonObject>(at, '/responses', body, signal, ending)) {
    const modelEvent = foldResponsesEvent(reply, event)
    if (reply.end) ending.state = 'closed'
    if (modelEvent) yield modelEvent
  }
  if (!reply.end && !(isReadable(reply) && isEndWithoutReason(endpoint, ending, knownTraits)))
    throw new BrokenConnectionError(false, new Error('the reply stops without saying why it ended'))
  const items = itemsOf(reply)
  const drafts = items.flatMap(draftOf)
  checkReplySize(0, drafts.length)
  const reason = responsesReason(reply, drafts.length > 0)
  const isCut = reason === 'length' || reason === 'filter'
  const calls = finalizeCalls(drafts, isCut, () => `call_${createUlid()}`, request.messages)
  for (const call of calls) yield { type: 'call', ...call }
  const usage = objectOf(reply.end?.response.usage)
  const reported = {
    input: usage?.input_tokens,
    output: usage?.output_tokens,
    cached: objectOf(usage?.input_tokens_details)?.cached_tokens,
  }
  const text = reply.text + drafts.map((draft) => draft.name + draft.raw).join('')
  yield { type: 'usage', ...usageOf(endpoint, request, reported, text) }
  const ids = calls.map(({ id }) => id)
  const value = responsesCarry(items, ids)
  yield value === undefined
    ? { type: 'end', reason }
    : { type: 'end', reason, carry: { from: carrierOf(endpoint), value } }
}
