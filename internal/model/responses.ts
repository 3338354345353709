// A model behind the Responses API. Nothing is stored at the provider: reasoning goes back and forth encrypted.
import type { ResponseOutputItem, ResponseStreamEvent } from 'openai/resources/responses/responses'
import { ulid } from '../base/ids.ts'
import { type Draft, settle } from './calls.ts'
import { nearestEffort } from './effort.ts'
import type { EndReason, Model, ModelEvent, ModelRequest } from './model.ts'
import { ratesOf } from './prices.ts'
import { post } from './wire/client.ts'
import { itemWriter, responseTools } from './wire/items.ts'
import { adviseOn } from './wire/known-models.ts'
import { giveUp } from './wire/optional.ts'
import { failureOf, Interjected, Refused } from './wire/refusal.ts'
import { guard, type Served, usageOf, where } from './wire/served.ts'
import { Broken } from './wire/transport.ts'

/** The model itself, without retries. */
export function responses(served: Served): Model {
  const omitted = new Set<string>()
  const write = itemWriter(carrier(served))
  return {
    id: served.id,
    kind: 'llm',
    window: served.window,
    ...ratesOf(served.price),
    stream: (request, signal) =>
      guard(served, signal, async function* (inner) {
        for (;;) {
          const body = { ...bodyOf(served, request, omitted), input: write(request.messages) }
          try {
            yield* turn(served, request, JSON.stringify(body), inner)
            return
          } catch (error) {
            if (!(error instanceof Refused)) throw error
            const failure = failureOf(error, where(served), served.keys)
            if (giveUp(failure, Object.keys(body), omitted)) continue
            return yield { type: 'failure', failure: await adviseOn(failure, served, inner) }
          }
        }
      }),
  }
}

const carrier = (served: Served) => `${served.id}#responses`

function bodyOf(
  served: Served,
  request: ModelRequest,
  omitted: ReadonlySet<string>,
): Record<string, unknown> {
  const accepted = served.quirks.efforts?.find(([form]) => form.test(served.model))?.[1]
  const effort = accepted && request.effort && nearestEffort(request.effort, accepted)
  const body: Record<string, unknown> = { model: served.model, stream: true, store: false }
  if (accepted) {
    body.reasoning = effort === undefined ? { summary: 'auto' } : { effort, summary: 'auto' }
    body.include = ['reasoning.encrypted_content']
  }
  if (request.maxOutput !== undefined) body.max_output_tokens = request.maxOutput
  if (request.tools.length > 0) body.tools = responseTools(request.tools)
  for (const name of omitted) delete body[name]
  return body
}

interface Reply {
  text: string
  items: ResponseOutputItem[]
  end?: Extract<ResponseStreamEvent, { type: 'response.completed' | 'response.incomplete' }>
}

async function* turn(
  served: Served,
  request: ModelRequest,
  body: string,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const reply: Reply = { text: '', items: [] }
  for await (const event of post<ResponseStreamEvent>(served.endpoint, '/responses', body, signal)) {
    const shown = take(reply, event)
    if (shown) yield shown
  }
  if (!reply.end) throw new Broken(false, new Error('the reply stops without saying why it ended'))
  const { response } = reply.end
  const items = response.output?.length ? response.output : reply.items
  const reason = reasonOf(reply.end, items)
  const drafts = items.flatMap((item): Draft[] =>
    item.type === 'function_call' ? [{ id: item.call_id, name: item.name, raw: item.arguments }] : [],
  )
  for (const call of settle(drafts, reason === 'length' || reason === 'filter', () => `call_${ulid()}`))
    yield { type: 'call', ...call }
  const reported = {
    input: response.usage?.input_tokens,
    output: response.usage?.output_tokens,
    cached: response.usage?.input_tokens_details?.cached_tokens,
  }
  const said = reply.text + drafts.map((draft) => draft.name + draft.raw).join('')
  yield { type: 'usage', ...usageOf(served, request, reported, said) }
  const value = items.filter((item) => item.type === 'reasoning' && item.encrypted_content)
  yield value.length === 0
    ? { type: 'end', reason }
    : { type: 'end', reason, carry: { from: carrier(served), value } }
}

/** Takes one event in; returns what of it can be shown. Throws for an event that says the reply failed. */
function take(reply: Reply, event: ResponseStreamEvent): ModelEvent | undefined {
  switch (event.type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      reply.text += event.delta
      return { type: 'text', text: event.delta }
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return { type: 'reasoning', text: event.delta }
    case 'response.output_item.done':
      reply.items.push(event.item)
      return undefined
    case 'response.completed':
    case 'response.incomplete':
      reply.end = event
      return undefined
    case 'response.failed':
      throw new Interjected(event.response.error)
    case 'error':
      throw new Interjected(event)
    default:
      return undefined
  }
}

function reasonOf(end: NonNullable<Reply['end']>, items: readonly ResponseOutputItem[]): EndReason {
  if (end.type === 'response.incomplete') {
    return end.response.incomplete_details?.reason === 'content_filter' ? 'filter' : 'length'
  }
  return items.some((item) => item.type === 'function_call') ? 'calls' : 'stop'
}
