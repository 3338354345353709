// Assembly of a response from the events of a Messages stream: content blocks, finish reason
// and token counts.
import { countOf, isObject, type JsonObject, listOf, objectOf, stringOf } from '../../base/untrusted-json.ts'
import { type CallDraft, checkReplySize, readJson } from '../tool-calls.ts'
import { worseFinish } from './finish-reason.ts'
import { argumentText, nameOf } from './foreign-json.ts'

/** One content block as far as it has arrived. */
export type MessagesBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  /** Reasoning that the provider has encrypted. */
  | { type: 'redacted_thinking'; data: string }
  | ({ type: 'tool_use' } & CallDraft)

/**
 * Tokens as the provider counts them. `input` excludes tokens that were read from the cache or written to it.
 */
export interface MessagesUsage {
  input?: number
  output?: number
  cacheRead?: number
  cacheWrite?: number
  /** The part of `cacheWrite` that is stored for an hour. */
  cacheWrite1h?: number
}

/** The received part of a response. */
export interface MessagesReply {
  blocks: MessagesBlock[]
  /** Blocks that have not ended, by the provider's index. */
  open: Map<number, MessagesBlock>
  /** The worst finish reason that has arrived, because an endpoint may send several. */
  finish: string | undefined
  /** True if the last event has arrived. */
  isStopped: boolean
  usage: MessagesUsage
  /**
   * Number of characters of text, reasoning, signatures and arguments, and one for each block,
   * which is limited.
   */
  size: number
}

export const newMessagesReply = (): MessagesReply => ({
  blocks: [],
  open: new Map(),
  finish: undefined,
  isStopped: false,
  usage: {},
  size: 0,
})

const nothing = { text: '', reasoning: '' }

/**
 * Adds one event and returns the part that can be shown at once. Events of unknown types are skipped. Throws
 * `EndlessReplyError` for a response above the limits.
 */
export function foldMessagesEvent(
  reply: MessagesReply,
  event: JsonObject,
): { text: string; reasoning: string } {
  switch (event.type) {
    case 'message_start':
      return foldWhole(reply, objectOf(event.message) ?? {})
    // an endpoint that does not stream sends the message alone
    case 'message':
      return foldWhole(reply, event)
    case 'content_block_start':
      return beginBlock(
        reply,
        countOf(event.index) ?? reply.blocks.length,
        objectOf(event.content_block) ?? {},
      )
    case 'content_block_delta':
      return extendBlock(reply, countOf(event.index), objectOf(event.delta) ?? {})
    case 'content_block_stop':
      reply.open.delete(countOf(event.index) ?? lastOpen(reply))
      return nothing
    case 'message_delta':
      takeFinish(reply, objectOf(event.delta)?.stop_reason)
      takeUsage(reply, event.usage)
      return nothing
    case 'message_stop':
      reply.isStopped = true
      return nothing
    default:
      return nothing
  }
}

/** Returns true if the response has content and the arguments of its calls are complete. */
export function isReadable({ blocks }: MessagesReply): boolean {
  const calls = blocks.filter((block) => block.type === 'tool_use')
  return calls.length > 0
    ? calls.every(({ raw }) => readJson(raw || '{}').ok)
    : blocks.some((block) => block.type === 'text' && block.text.trim() !== '')
}

function foldWhole(reply: MessagesReply, message: JsonObject) {
  takeUsage(reply, message.usage)
  const output = { ...nothing }
  const { content } = message
  for (const block of typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)) {
    const index = reply.blocks.length
    const part = beginBlock(reply, index, objectOf(block) ?? {})
    reply.open.delete(index)
    output.text += part.text
    output.reasoning += part.reasoning
  }
  takeFinish(reply, message.stop_reason)
  return output
}

function beginBlock(reply: MessagesReply, index: number, start: JsonObject) {
  const block = readBlock(start, reply.finish !== undefined)
  if (!block) return nothing
  reply.blocks.push(block)
  reply.open.set(index, block)
  const text = block.type === 'text' ? block.text : ''
  const reasoning = block.type === 'thinking' ? block.thinking : ''
  growReply(reply, text.length + reasoning.length + 1)
  return { text, reasoning }
}

function readBlock(start: JsonObject, isLate: boolean): MessagesBlock | undefined {
  switch (start.type) {
    case 'text':
      return { type: 'text', text: stringOf(start.text) }
    case 'thinking':
      return { type: 'thinking', thinking: stringOf(start.thinking), signature: stringOf(start.signature) }
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: stringOf(start.data) }
    case 'tool_use': {
      // the input is usually empty here and follows in pieces, but some endpoints send it completely
      const { input } = start
      const raw = isObject(input) && Object.keys(input).length === 0 ? '' : argumentText(input)
      return {
        type: 'tool_use',
        id: nameOf(start.id),
        name: nameOf(start.name),
        raw,
        isLate: isLate || undefined,
      }
    }
    default:
      return undefined
  }
}

const lastOpen = (reply: MessagesReply): number => [...reply.open.keys()].at(-1) ?? -1

function extendBlock(reply: MessagesReply, index: number | undefined, delta: JsonObject) {
  const text = stringOf(delta.text)
  const reasoning = stringOf(delta.thinking)
  const signature = stringOf(delta.signature)
  const raw = stringOf(delta.partial_json)
  // The size grows before the block is known, so that text outside any block counts towards the limits too.
  growReply(reply, text.length + reasoning.length + signature.length + raw.length)
  // Some endpoints do not announce the start of a block, so the first text begins one.
  if (delta.type === 'text_delta' && text !== '' && reply.blocks.length === 0 && !index)
    beginBlock(reply, 0, { type: 'text' })
  const block = reply.open.get(index ?? lastOpen(reply))
  if (block?.type === 'text' && delta.type === 'text_delta') {
    block.text += text
    return { text, reasoning: '' }
  }
  if (block?.type === 'thinking') {
    if (delta.type === 'signature_delta') block.signature += signature
    if (delta.type !== 'thinking_delta') return nothing
    block.thinking += reasoning
    return { text: '', reasoning }
  }
  if (block?.type === 'tool_use' && delta.type === 'input_json_delta') {
    block.raw = isSentTwice(block.raw, raw) ? raw : block.raw + raw
    if (reply.finish !== undefined) block.isLate = true
  }
  return nothing
}

/** Returns true if `piece` starts the arguments again that already came completely with the block. */
const isSentTwice = (raw: string, piece: string): boolean =>
  piece.trimStart().startsWith('{') && raw.trimEnd().endsWith('}') && readJson(raw).ok

function growReply(reply: MessagesReply, chars: number) {
  reply.size += chars
  checkReplySize(reply.size, reply.blocks.length)
}

function takeFinish(reply: MessagesReply, reason: unknown) {
  const finish = nameOf(reason)
  if (finish !== '') reply.finish = worseFinish(finish, reply.finish)
}

/**
 * Replaces the counts of the reply with those in `usage`, which are totals so far. A count that is missing
 * in `usage` stays.
 */
function takeUsage(reply: MessagesReply, usage: unknown) {
  const counts = objectOf(usage)
  if (!counts) return
  const newCounts: MessagesUsage = {}
  const take = (name: keyof MessagesUsage, value: unknown) => {
    const count = countOf(value)
    if (count !== undefined) newCounts[name] = count
  }
  take('input', counts.input_tokens)
  take('output', counts.output_tokens)
  take('cacheRead', counts.cache_read_input_tokens)
  take('cacheWrite', counts.cache_creation_input_tokens)
  take('cacheWrite1h', objectOf(counts.cache_creation)?.ephemeral_1h_input_tokens)
  Object.assign(reply.usage, newCounts)
}
