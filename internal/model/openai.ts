// A model behind Chat Completions, OpenAI's or any endpoint that speaks the same.
import { ulid } from '../base/ids.ts'
import { settle } from './calls.ts'
import type { Model, ModelEvent, ModelRequest } from './model.ts'
import { ratesOf } from './prices.ts'
import { messageWriter, writeTools } from './wire/chat.ts'
import { carryOf, endOf, fold, newReply } from './wire/chat-fold.ts'
import { post } from './wire/client.ts'
import { adviseOn } from './wire/known-models.ts'
import { giveUp } from './wire/optional.ts'
import { effortFields } from './wire/quirks.ts'
import { failureOf, Interjected, Refused } from './wire/refusal.ts'
import { guard, type Served, usageOf, where } from './wire/served.ts'
import { Broken } from './wire/transport.ts'

/** The model itself, without retries. */
export function openai(served: Served): Model {
  const writeMessages = messageWriter(served.id, served.quirks)
  const omitted = new Set<string>()
  return {
    id: served.id,
    kind: 'llm',
    window: served.window,
    ...ratesOf(served.price),
    stream: (request, signal) =>
      guard(served, signal, async function* (inner) {
        for (;;) {
          const fields = fieldsOf(served, request, omitted)
          try {
            const body = join(fields, writeMessages(request.messages), request)
            yield* turn(served, request, body, inner)
            return
          } catch (error) {
            if (!(error instanceof Refused)) throw error
            const failure = failureOf(error, where(served), served.keys)
            if (giveUp(failure, Object.keys(fields), omitted)) continue
            return yield { type: 'failure', failure: await adviseOn(failure, served, inner) }
          }
        }
      }),
  }
}

/** Everything of the body but messages and tools. */
function fieldsOf(
  served: Served,
  request: ModelRequest,
  omitted: ReadonlySet<string>,
): Record<string, unknown> {
  const { quirks, model } = served
  const fields: Record<string, unknown> = {
    model,
    stream: true,
    ...effortFields(request.effort, model, quirks),
  }
  if (!quirks.noStreamOptions) fields.stream_options = { include_usage: true }
  if (quirks.reportsCost) fields.usage = { include: true }
  if (request.maxOutput !== undefined) {
    // the older name is understood where the newer one was refused
    const old = quirks.maxTokens || omitted.has('max_completion_tokens')
    fields[old ? 'max_tokens' : 'max_completion_tokens'] = request.maxOutput
  }
  for (const name of omitted) delete fields[name]
  return fields
}

/** The long parts come serialised; they are not taken apart again each turn. */
function join(fields: Record<string, unknown>, messages: string, request: ModelRequest): string {
  const head = JSON.stringify(fields).slice(0, -1)
  const tools = request.tools.length > 0 ? `,"tools":${writeTools(request.tools)}` : ''
  return `${head}${tools},"messages":${messages}}`
}

async function* turn(
  served: Served,
  request: ModelRequest,
  body: string,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const reply = newReply()
  for await (const chunk of post<unknown>(served.endpoint, '/chat/completions', body, signal)) {
    const shown = fold(reply, chunk)
    if (shown.reasoning !== '') yield { type: 'reasoning', text: shown.reasoning }
    if (shown.text !== '') yield { type: 'text', text: shown.text }
  }
  const reason = endOf(reply)
  if (reason === undefined) {
    if (reply.finish !== undefined)
      throw new Interjected({ message: `the provider ended the reply with ${JSON.stringify(reply.finish)}` })
    throw new Broken(false, new Error('the reply stops without saying why it ended'))
  }
  const calls = settle(reply.calls, reason === 'length' || reason === 'filter', () => `call_${ulid()}`)
  for (const call of calls) yield { type: 'call', ...call }
  const { usage } = reply
  const reported = {
    input: usage?.prompt_tokens,
    output: usage?.completion_tokens,
    cached: usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens,
    usd: usage?.cost,
  }
  const said = reply.text + reply.reasoning + reply.calls.map((call) => call.name + call.raw).join('')
  yield { type: 'usage', ...usageOf(served, request, reported, said) }
  const ids = calls.map((call) => call.id)
  const value = carryOf(reply, ids, served.quirks.returnReasoning === true)
  yield value === undefined
    ? { type: 'end', reason }
    : { type: 'end', reason, carry: { from: served.id, value } }
}
