// Conversion of messages and tools to the form of Chat Completions. Each message is converted to
// JSON only once.

import type { ContentPart, MessageContent, ModelMessage, ModelToolCall, ToolSpec } from '../model.ts'
import { strictName } from '../strict/tool-names.ts'
import { contentText } from '../tokens.ts'
import { type CacheLifetime, cacheControl } from './cache-mark.ts'
import { callId, type EndpointQuirks } from './endpoint-quirks.ts'
import { listTexts } from './request-body.ts'

/** Data that some providers need back with an assistant message, because they do not store it. */
export interface ChatCarry {
  reasoning?: string
  /** The field in which `reasoning` arrived. */
  reasoningField?: 'reasoning' | 'reasoning_content'
  details?: readonly unknown[]
  /** Data that the provider attached to calls and that only it can read, by call id. */
  extras?: Readonly<Record<string, unknown>>
}

type MessagePiece =
  | { text: string }
  /** A message of the user. Consecutive ones become one message. */
  | { words: MessageContent }
  /**
   * A result with images or documents, which results cannot contain. They follow in a message after the last
   * of several consecutive results.
   */
  | { text: string; media: MessageContent }

/**
 * Returns a function that serializes message lists for the model with the id `from`, and joins consecutive
 * user messages. Messages never change, so each is serialized once.
 */
export function messageWriter(
  from: string,
  quirks: EndpointQuirks,
): (messages: readonly ModelMessage[], cache?: CacheLifetime | undefined) => string[] {
  const cachedPieces = new WeakMap<ModelMessage, MessagePiece>()
  const pieceOf = (message: ModelMessage): MessagePiece => {
    let piece = cachedPieces.get(message)
    if (!piece) {
      piece = writeMessage(message, from, quirks)
      cachedPieces.set(message, piece)
    }
    return piece
  }
  return (messages, cache) => {
    const out: string[] = []
    let words: MessageContent | undefined
    let isAfterResults = false
    const flush = () => {
      if (words !== undefined && isAfterResults && quirks.noUserAfterResults) out.push(understood)
      if (words !== undefined) out.push(JSON.stringify({ role: 'user', content: toWireParts(words) }))
      words = undefined
    }
    for (const message of messages) {
      const piece = pieceOf(message)
      if ('words' in piece) {
        words = joinContents(words, piece.words)
        continue
      }
      if (message.role !== 'tool') flush()
      isAfterResults = message.role === 'tool'
      out.push(message.role === 'system' && cache ? markedSystem(message.content, cache) : piece.text)
      if ('media' in piece) words = joinContents(words, piece.media)
    }
    flush()
    return listTexts(out)
  }
}

/**
 * Message of the model between the results of calls and a user message, for endpoints that refuse a user
 * message directly after results.
 */
const understood = JSON.stringify({ role: 'assistant', content: 'Understood.' })

/**
 * Returns the system message with a mark for the end of the cached prefix. OpenRouter passes the mark on
 * to Claude models.
 */
function markedSystem(text: string, cache: CacheLifetime): string {
  return JSON.stringify({
    role: 'system',
    content: [{ type: 'text', text, cache_control: cacheControl(cache) }],
  })
}

/**
 * Returns both contents as one, because chat templates of several open models refuse
 * consecutive user messages.
 */
export function joinContents(before: MessageContent | undefined, after: MessageContent): MessageContent {
  if (before === undefined) return after
  if (typeof before === 'string' && typeof after === 'string') return `${before}\n\n${after}`
  return [...partsOf(before), ...partsOf(after)]
}

const partsOf = (content: MessageContent): readonly ContentPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

function writeMessage(message: ModelMessage, from: string, quirks: EndpointQuirks): MessagePiece {
  switch (message.role) {
    case 'system':
      return { text: JSON.stringify({ role: 'system', content: message.content }) }
    case 'user':
      return { words: message.content }
    case 'tool':
      return writeResult(message, quirks)
    case 'assistant': {
      const carry = message.carry?.from === from ? (message.carry.value as ChatCarry) : {}
      const calls = message.calls?.map((call) => writeCall(call, carry, quirks))
      const chatMessage: Record<string, unknown> = { role: 'assistant', content: message.content }
      if (calls && calls.length > 0) {
        chatMessage.tool_calls = calls
        if (message.content.trim() === '') chatMessage.content = null
      }
      if (quirks.returned !== 'no_returned_reasoning') {
        if (carry.reasoning) chatMessage[carry.reasoningField ?? 'reasoning_content'] = carry.reasoning
        if (carry.details) chatMessage.reasoning_details = carry.details
      }
      // messages of another model have no reasoning, and an empty text would count as missing
      if (quirks.returned === 'needs_reasoning' && calls?.length) chatMessage.reasoning_content ??= ' '
      return { text: JSON.stringify(chatMessage) }
    }
  }
}

function writeResult(message: ModelMessage & { role: 'tool' }, quirks: EndpointQuirks): MessagePiece {
  const text = contentText(message.content)
  const media = typeof message.content === 'string' ? [] : message.content.filter((p) => p.type !== 'text')
  const noun = media.every((part) => part.type === 'document') ? 'document' : 'image'
  const content = text === '' && media.length > 0 ? `(see the ${noun} below)` : text
  const resultText = JSON.stringify({ role: 'tool', tool_call_id: callId(message.callId, quirks), content })
  if (media.length === 0) return { text: resultText }
  const Noun = noun === 'document' ? 'Document' : 'Image'
  const intro = `${Noun}${media.length > 1 ? 's' : ''} from the result of ${message.name}:`
  return { text: resultText, media: [{ type: 'text', text: intro }, ...media] }
}

function writeCall(call: ModelToolCall, carry: ChatCarry, quirks: EndpointQuirks) {
  const extra = carry.extras?.[call.id]
  return {
    id: callId(call.id, quirks),
    type: 'function',
    function: { name: strictName(call.name), arguments: argumentsOf(call) },
    ...(extra !== undefined && { extra_content: extra }),
  }
}

/**
 * Returns the arguments as JSON text. Some endpoints parse them, so invalid JSON is sent as a text
 * inside an object.
 */
export function argumentsOf(call: ModelToolCall): string {
  return JSON.stringify(call.malformed ? { not_json: call.malformed.raw } : (call.args ?? {}))
}

function toWireParts(content: MessageContent): string | unknown[] {
  if (typeof content === 'string') return content
  return content.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    const url = `data:${part.mime};base64,${part.base64}`
    if (part.type === 'image') return { type: 'image_url', image_url: { url } }
    return { type: 'file', file: { filename: part.name, file_data: url } }
  })
}

const toolTexts = new WeakMap<readonly ToolSpec[], string>()

/** Returns the tools as JSON text. The text is cached for each list of tools. */
export function writeTools(tools: readonly ToolSpec[]): string {
  let text = toolTexts.get(tools)
  if (text === undefined) {
    text = JSON.stringify(
      tools.map(({ name, description, schema }) => ({
        type: 'function',
        function: { name, description, parameters: schema },
      })),
    )
    toolTexts.set(tools, text)
  }
  return text
}
