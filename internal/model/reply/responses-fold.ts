// Assembly of a response from the events of a Responses stream: text, finished items and the event
// that ends it.
import type { ResponseStreamEvent } from 'openai/resources/responses/responses'
import { countOf, type JsonObject, listOf, objectOf, stringOf } from '../../base/untrusted-json.ts'
import type { EndReason, ModelEvent } from '../model.ts'
import { type CallDraft, checkReplySize, readJson } from '../tool-calls.ts'
import { StreamErrorEvent } from '../wire/endpoint-failure.ts'
import { argumentText, nameOf } from '../wire/foreign-json.ts'
import { addHeardCalls, finishedItem, type HeardCalls, hearCall } from './heard-calls.ts'

/** The received part of a response. */
interface ResponsesReply {
  text: string
  /** Text by position, as `ITEM.PART` with their indices. */
  parts: Map<string, string>
  /** Characters of all deltas, and of text that arrived without deltas. */
  size: number
  isRefused: boolean
  items: unknown[]
  calls: HeardCalls
  /** The event that ended the response. */
  end?: { type: string; response: JsonObject }
}

export const newResponsesReply = (): ResponsesReply => ({
  text: '',
  parts: new Map(),
  size: 0,
  isRefused: false,
  items: [],
  calls: [],
})

/**
 * Adds one event and returns the part that can be shown; undefined if it has none. Throws
 * `StreamErrorEvent` for an event that reports a failure or a cancellation, and `EndlessReplyError` for a
 * response above the limits.
 */
export function foldResponsesEvent(reply: ResponsesReply, event: JsonObject): ModelEvent | undefined {
  const delta = stringOf(event.delta)
  // Deltas of arguments count as well, although the finished item contains the arguments again.
  reply.size += delta.length
  checkReplySize(reply.size, Math.max(reply.items.length, reply.calls.length))
  if (!reply.end) hearCall(reply.calls, event)
  const at = partOf(reply, event)
  switch (event.type as ResponseStreamEvent['type']) {
    case 'response.refusal.delta':
      reply.isRefused = true
      return addText(reply, at, delta)
    case 'response.output_text.delta':
      return addText(reply, at, delta)
    case 'response.output_text.done':
      return completeText(reply, at, stringOf(event.text))
    case 'response.refusal.done':
      reply.isRefused = true
      return completeText(reply, at, stringOf(event.refusal))
    case 'response.content_part.added':
    case 'response.content_part.done':
      return completeText(reply, at, partText(event.part))
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return delta === '' ? undefined : { type: 'reasoning', text: delta }
    case 'response.output_item.done':
      // events after the end are not part of the response
      return reply.end ? undefined : finishItem(reply, event)
    case 'response.completed':
    case 'response.incomplete':
    case 'response.cancelled' as string:
      return endReply(reply, String(event.type), objectOf(event.response) ?? {})
    case 'response.failed':
      throw new StreamErrorEvent(objectOf(event.response)?.error)
    case 'error':
      throw new StreamErrorEvent(event)
    default:
      // an endpoint that does not stream sends the response alone
      return event.type === undefined && Array.isArray(event.output)
        ? endReply(reply, 'response.completed', event)
        : undefined
  }
}

/**
 * Returns the key in `ResponsesReply.parts` of the text part that an event belongs to. An event without an
 * index belongs to the first item that has not ended.
 */
function partOf(reply: ResponsesReply, event: JsonObject): string {
  return `${countOf(event.output_index) ?? reply.items.length}.${countOf(event.content_index) ?? 0}`
}

function addText(reply: ResponsesReply, at: string, text: string): ModelEvent | undefined {
  reply.text += text
  reply.parts.set(at, (reply.parts.get(at) ?? '') + text)
  return text === '' ? undefined : { type: 'text', text }
}

/**
 * Adds the rest of a part whose deltas were incomplete. If `whole` does not start with the received
 * text, nothing changes.
 */
function completeText(reply: ResponsesReply, at: string, whole: string): ModelEvent | undefined {
  const before = reply.parts.get(at) ?? ''
  if (!whole.startsWith(before)) return undefined
  reply.size += whole.length - before.length
  checkReplySize(reply.size, reply.items.length)
  return addText(reply, at, whole.slice(before.length))
}

function finishItem(reply: ResponsesReply, event: JsonObject): ModelEvent | undefined {
  const index = countOf(event.output_index) ?? reply.items.length
  const item = finishedItem(reply.calls, event)
  reply.items.push(item)
  return completeItem(reply, index, item)
}

function completeItem(reply: ResponsesReply, index: number, item: unknown): ModelEvent | undefined {
  if (!isKind(item, 'message')) return undefined
  let text = ''
  const content = objectOf(item)?.content
  for (const [part, one] of (typeof content === 'string' ? [content] : listOf(content)).entries()) {
    const textEvent = completeText(reply, `${index}.${part}`, partText(one))
    if (textEvent?.type === 'text') text += textEvent.text
  }
  return text === '' ? undefined : { type: 'text', text }
}

/**
 * Stores the first end and returns text that no event contained before. Throws `StreamErrorEvent` if the
 * field `status` is `failed` or `cancelled`, or if the event is `response.cancelled`.
 */
function endReply(reply: ResponsesReply, type: string, response: JsonObject): ModelEvent | undefined {
  if (response.status === 'failed') throw new StreamErrorEvent(response.error)
  if (response.status === 'cancelled' || type === 'response.cancelled')
    throw new StreamErrorEvent({ message: 'the provider cancelled the reply' })
  if (reply.end) return undefined
  reply.end = { type, response }
  // The final items may have other numbers than those in the stream, so their text is added only if no
  // text has arrived.
  if (reply.text !== '') return undefined
  const events = listOf(response.output).map((item, index) => completeItem(reply, index, item))
  const parts = events.map((event) => (event?.type === 'text' ? event.text : '')).join('')
  // some endpoints send `output_text`, a field that only client libraries create
  const text = parts || stringOf(response.output_text)
  if (parts === '') reply.text = text
  return text === '' ? undefined : { type: 'text', text }
}

/** Returns the text of a message part. Reasoning is not text of the answer. */
function partText(part: unknown): string {
  const { type, text, refusal } = objectOf(part) ?? {}
  if (type === 'reasoning_text' || type === 'summary_text') return ''
  return stringOf(part) || stringOf(text) || stringOf(refusal)
}

const isKind = (item: unknown, type: string) => objectOf(item)?.type === type

/**
 * Returns the items of the final event or, if it lists none, the items that the stream has finished, with the
 * arguments of their calls. Without any call among them, unfinished calls are added.
 */
export function itemsOf({ end, items, calls }: ResponsesReply): readonly unknown[] {
  const output = listOf(end?.response.output)
  return addHeardCalls(output.length > 0 ? output : items, calls)
}

/** Returns a list with the call that an item contains; an empty list if the item is not a call. */
export function draftOf(item: unknown): CallDraft[] {
  const { type, call_id, id, name, arguments: raw } = objectOf(item) ?? {}
  if (type !== 'function_call') return []
  return [{ id: nameOf(call_id) || nameOf(id), name: nameOf(name), raw: argumentText(raw) }]
}

/** Returns true if the response has content and the arguments of its calls are complete. */
export function isReadable(reply: ResponsesReply): boolean {
  const calls = itemsOf(reply).flatMap(draftOf)
  return calls.length > 0 ? calls.every(({ raw }) => readJson(raw || '{}').ok) : reply.text.trim() !== ''
}

/**
 * Returns why the response ended. `length`: at the limit of output, or incomplete text without a reason.
 * `filter`: a refusal, another incomplete response, or calls under an unknown status. Else `calls` or `stop`.
 */
export function responsesReason(reply: ResponsesReply, hasCalls: boolean): EndReason {
  const { type, response } = reply.end ?? { type: '', response: {} as JsonObject }
  const isRefused = itemsOf(reply).some((item) =>
    listOf(objectOf(item)?.content).some((part) => isKind(part, 'refusal')),
  )
  if (type === 'response.incomplete' || response.status === 'incomplete') {
    const why = nameOf(objectOf(response.incomplete_details)?.reason)
    return why === 'max_output_tokens' || (why === '' && !hasCalls) ? 'length' : 'filter'
  }
  if (reply.isRefused || isRefused) return 'filter'
  // calls may be incomplete under an unknown status; the end `filter` keeps them from running
  const isWhole = response.status === undefined || response.status === 'completed'
  if (!hasCalls) return 'stop'
  return isWhole ? 'calls' : 'filter'
}
