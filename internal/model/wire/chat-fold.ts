// Assembly of a response from the chunks of a Chat Completions stream.
import type { ChatCompletionChunk } from 'openai/resources/chat/completions'
import { countOf, type JsonObject, listOf, objectOf, stringOf } from '../../base/untrusted-json.ts'
import type { EndReason } from '../model.ts'
import type { StreamEnding } from '../reply/stream-ending.ts'
import { type CallDraft, checkReplySize, readJson } from '../tool-calls.ts'
import type { ChatCarry } from './chat-messages.ts'
import { endReasonOf, worseFinish } from './finish-reason.ts'
import { argumentText, nameOf } from './foreign-json.ts'

/**
 * A chunk of the stream as the API documents it, for code that writes chunks. A received chunk may
 * have any form.
 */
export interface ChatChunk {
  choices?: readonly ChunkChoice[] | null
  usage?: ChunkUsage | null
  /** The field in which Groq reports usage. */
  x_groq?: { usage?: ChunkUsage | null } | null
}

interface ChunkChoice {
  delta?: ChunkDelta | null
  /** The complete message, from an endpoint that does not stream. */
  message?: ChunkDelta | null
  finish_reason?: ChatCompletionChunk.Choice['finish_reason'] | 'error' | (string & {})
}

interface ChunkDelta {
  content?: string | readonly { type?: string; text?: string }[] | null
  refusal?: string | null
  reasoning_content?: string | null
  reasoning?: string | null
  reasoning_details?: readonly unknown[] | null
  tool_calls?: readonly ChunkCall[] | null
}

interface ChunkCall {
  index?: number | null
  id?: string | null
  function?: { name?: string | null; arguments?: string | null } | null
  extra_content?: unknown
}

interface ChunkUsage {
  prompt_tokens?: number | null
  completion_tokens?: number | null
  prompt_tokens_details?: { cached_tokens?: number | null; cache_write_tokens?: number | null } | null
  prompt_cache_hit_tokens?: number | null
  cost?: number | null
}

interface ChatDraft extends CallDraft {
  index: number
  extra?: unknown
}

/** The received part of a response. */
interface ChatReply {
  /**
   * The worst finish reason that has arrived, because an endpoint may send several that
   * contradict each other.
   */
  finish: string | undefined
  /** True if the model declined to answer, which the API reports in the separate field `refusal`. */
  isRefused: boolean
  usage: ChunkUsage | undefined
  /** True if token counts have arrived in a chunk after the finish reason, so that nothing else follows. */
  isCounted: boolean
  text: string
  reasoning: string
  reasoningField: NonNullable<ChatCarry['reasoningField']>
  details: unknown[]
  calls: ChatDraft[]
  /** Characters of text, reasoning and arguments, and one for each piece of a call. */
  size: number
}

export function newReply(): ChatReply {
  return {
    finish: undefined,
    isRefused: false,
    usage: undefined,
    isCounted: false,
    text: '',
    reasoning: '',
    reasoningField: 'reasoning_content',
    details: [],
    calls: [],
    size: 0,
  }
}

/**
 * Adds one chunk and returns the part that can be shown at once. Throws `EndlessReplyError` for a response
 * above the limits.
 */
export function foldChunk(reply: ChatReply, chunk: unknown): { text: string; reasoning: string } {
  const whole = objectOf(chunk)
  const usage = objectOf(whole?.usage) ?? objectOf(objectOf(whole?.x_groq)?.usage)
  if (usage) reply.usage = usage
  if (usage && reply.finish !== undefined) reply.isCounted = true
  const choice = objectOf(listOf(whole?.choices)[0])
  const delta = deltaOf(choice)
  const isLate = reply.finish !== undefined
  const finish = nameOf(choice?.finish_reason)
  // some endpoints send the text "null" or an empty text for no reason
  if (finish !== '' && finish !== 'null') reply.finish = worseFinish(finish, reply.finish)
  if (!delta) return { text: '', reasoning: '' }
  const refusal = stringOf(delta.refusal)
  if (refusal !== '') reply.isRefused = true
  const text = contentOf(delta.content) + refusal
  const content = stringOf(delta.reasoning_content)
  const reasoning = content || stringOf(delta.reasoning)
  if (reasoning !== '') reply.reasoningField = content === '' ? 'reasoning' : 'reasoning_content'
  reply.text += text
  reply.reasoning += reasoning
  reply.size += text.length + reasoning.length
  for (const detail of listOf(delta.reasoning_details)) reply.details.push(detail)
  for (const [place, call] of listOf(delta.tool_calls).entries()) foldCall(reply, call, place, isLate)
  checkReplySize(reply.size, reply.calls.length)
  return { text, reasoning }
}

/**
 * Returns the delta of a chunk, or the complete message if the endpoint does not stream. Older endpoints
 * send only `text`.
 */
function deltaOf(choice: JsonObject | undefined): JsonObject | undefined {
  const delta = objectOf(choice?.delta) ?? objectOf(choice?.message)
  if (!delta) return typeof choice?.text === 'string' ? { content: choice.text } : undefined
  // the older field for a single call, from before `tool_calls` existed
  const only = objectOf(delta.function_call)
  return only && !delta.tool_calls ? { ...delta, tool_calls: [{ index: 0, function: only }] } : delta
}

function contentOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => stringOf(objectOf(part)?.text))
    .join('')
}

/**
 * Adds a piece of a call. Pieces of one call have the same index. Some endpoints send several complete
 * calls with one index or without an index. There, another id or name starts a new call, and so do
 * arguments after complete ones.
 */
function foldCall(reply: ChatReply, delta: unknown, place: number, isLate: boolean) {
  const piece = objectOf(delta) ?? {}
  const body = objectOf(piece.function)
  const id = nameOf(piece.id)
  const name = nameOf(body?.name)
  const raw = argumentText(body?.arguments)
  const last = reply.calls.at(-1)
  const index = countOf(piece.index) ?? (id !== '' || !last ? reply.calls.length + place : last.index)
  let call = reply.calls.findLast((draft) => draft.index === index)
  if (!call || isNewCall({ id, name, raw }, call)) {
    call = { index, id: '', name: '', raw: '' }
    reply.calls.push(call)
  }
  if (id !== '') call.id = id
  // A name arrives complete, once or with every piece, so it is replaced and not appended.
  if (name !== '') call.name = name
  call.raw += raw
  reply.size += raw.length + 1
  if (isLate) call.isLate = true
  if (piece.extra_content !== undefined) call.extra = piece.extra_content
}

/**
 * Returns true if a piece with a name begins another call although it has the index of `call`: if its name or
 * id is different, or if its arguments begin anew after complete ones.
 */
function isNewCall(piece: CallDraft, call: ChatDraft): boolean {
  if (piece.name === '') return false
  if (call.name !== '' && call.name !== piece.name) return true
  if (piece.id !== '' && call.id !== '' && call.id !== piece.id) return true
  return piece.raw.trimStart().startsWith('{') && call.raw.trimEnd().endsWith('}') && readJson(call.raw).ok
}

/**
 * Returns how far the response is: `closing` after its finish reason, `closed` once token counts have
 * arrived after it.
 */
export function stateOf({ finish, isCounted }: ChatReply): StreamEnding['state'] {
  if (finish === undefined) return 'open'
  return isCounted ? 'closed' : 'closing'
}

/** Returns true if the response has content and the arguments of its calls are complete. */
export function isReadable({ text, calls }: ChatReply): boolean {
  return calls.length > 0 ? calls.every(({ raw }) => readJson(raw || '{}').ok) : text.trim() !== ''
}

/** Returns why the response ended; undefined if it did not, or if the finish reason reports an error. */
export function endOf({ finish, calls, isRefused }: ChatReply): EndReason | undefined {
  const reason = endReasonOf(finish, calls.length > 0)
  return isRefused && reason !== undefined ? 'filter' : reason
}

/**
 * Returns the data that the provider needs back with the response, or undefined if it sent no such data.
 * `ids` are the final ids of the calls. `reasoning`: the provider needs reasoning with every response.
 */
export function carryOf(reply: ChatReply, ids: readonly string[], reasoning: boolean): ChatCarry | undefined {
  const extras: Record<string, unknown> = {}
  for (const [i, call] of reply.calls.entries()) {
    if (call.extra !== undefined) extras[ids[i] ?? call.id] = call.extra
  }
  const carry: ChatCarry = {}
  // models that reason between calls need the reasoning with calls; with a final answer it would
  // only cost tokens
  const isNeeded = reasoning || (reply.calls.length > 0 && reply.details.length === 0)
  if (isNeeded && reply.reasoning !== '') {
    carry.reasoning = reply.reasoning
    if (reply.reasoningField === 'reasoning') carry.reasoningField = 'reasoning'
  }
  if (reply.details.length > 0) carry.details = reply.details
  if (Object.keys(extras).length > 0) carry.extras = extras
  return Object.keys(carry).length > 0 ? carry : undefined
}
