// Folds the chunks of a Chat Completions stream into a reply.
import type { ChatCompletionChunk } from 'openai/resources/chat/completions'
import type { Draft } from '../calls.ts'
import type { EndReason } from '../model.ts'
import type { ChatCarry } from './chat.ts'

/** A chunk with what the various endpoints add to it. All of it is foreign: nothing is sure to be there. */
export interface Chunk {
  choices?: readonly ChunkChoice[] | null
  usage?: ChunkUsage | null
  /** One provider reports usage here. */
  x_groq?: { usage?: ChunkUsage | null } | null
}

interface ChunkChoice {
  delta?: ChunkDelta | null
  /** The whole reply, from an endpoint that does not stream. */
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

export interface ChunkUsage {
  prompt_tokens?: number | null
  completion_tokens?: number | null
  prompt_tokens_details?: { cached_tokens?: number | null } | null
  prompt_cache_hit_tokens?: number | null
  cost?: number | null
}

/** Everything a reply has said so far. */
export interface ChatReply {
  finish: string | undefined
  usage: ChunkUsage | undefined
  text: string
  reasoning: string
  details: unknown[]
  calls: (Draft & { index: number; extra?: unknown })[]
}

export function newReply(): ChatReply {
  return { finish: undefined, usage: undefined, text: '', reasoning: '', details: [], calls: [] }
}

/** Takes one chunk in and returns what of it can be shown at once. */
export function fold(reply: ChatReply, chunk: Chunk): { text: string; reasoning: string } {
  reply.usage = chunk.usage ?? chunk.x_groq?.usage ?? reply.usage
  const choice = chunk.choices?.[0]
  const delta = choice?.delta ?? choice?.message
  if (choice?.finish_reason) reply.finish = choice.finish_reason
  if (!delta) return { text: '', reasoning: '' }
  const text = contentOf(delta.content) + (delta.refusal ?? '')
  const reasoning = delta.reasoning_content ?? delta.reasoning ?? ''
  reply.text += text
  reply.reasoning += reasoning
  if (delta.reasoning_details) reply.details.push(...delta.reasoning_details)
  for (const [place, call] of (delta.tool_calls ?? []).entries()) foldCall(reply, call, place)
  return { text, reasoning }
}

function contentOf(content: ChunkDelta['content']): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => part.text ?? '').join('')
}

/**
 * Pieces of one call share an index. Some endpoints send whole calls all with the same index or with none: a new id
 * beside a new name then starts a new call.
 */
function foldCall(reply: ChatReply, piece: ChunkCall, place: number) {
  const last = reply.calls.at(-1)
  const index = piece.index ?? (piece.id || !last ? reply.calls.length + place : last.index)
  let call = reply.calls.findLast((known) => known.index === index)
  const name = piece.function?.name ?? ''
  const another = call && piece.id && name && call.id !== '' && call.id !== piece.id
  if (!call || another) {
    call = { index, id: '', name: '', raw: '' }
    reply.calls.push(call)
  }
  if (piece.id) call.id = piece.id
  // a name arrives whole, once or again with every piece
  if (name) call.name = name
  call.raw += piece.function?.arguments ?? ''
  if (piece.extra_content !== undefined) call.extra = piece.extra_content
}

/** Why the reply ended, or undefined when it did not: then it is no reply. */
export function endOf(reply: ChatReply): EndReason | undefined {
  switch (reply.finish) {
    case undefined:
    case 'error':
      return undefined
    case 'length':
    case 'max_tokens':
      return 'length'
    case 'content_filter':
      return 'filter'
    default:
      return reply.calls.length > 0 ? 'calls' : 'stop'
  }
}

/** What the provider wants back; undefined when it sent nothing of the kind. `ids` are the final ids of the calls. */
export function carryOf(reply: ChatReply, ids: readonly string[], reasoning: boolean): ChatCarry | undefined {
  const extras: Record<string, unknown> = {}
  for (const [i, call] of reply.calls.entries()) {
    if (call.extra !== undefined) extras[ids[i] ?? call.id] = call.extra
  }
  const carry: ChatCarry = {}
  if (reasoning && reply.reasoning !== '') carry.reasoning = reply.reasoning
  if (reply.details.length > 0) carry.details = reply.details
  if (Object.keys(extras).length > 0) carry.extras = extras
  return Object.keys(carry).length > 0 ? carry : undefined
}
