// Messages and tools in the form of Chat Completions, each serialised once.

import type { ContentPart, MessageContent, ModelMessage, ModelToolCall, ToolSpec } from '../model.ts'
import { strictName } from '../strict/tool-names.ts'
import { contentText } from '../tokens.ts'
import { type CacheLifetime, cacheControl } from './cache-mark.ts'
import { callId, type EndpointQuirks } from './endpoint-quirks.ts'
import { listTexts } from './request-body.ts'

/** Data that some providers need back with an assistant message. */
export interface ChatCarry {
  reasoning?: string
  /** The field that it came in. */
  reasoningField?: 'reasoning' | 'reasoning_content'
  details?: readonly unknown[]
  /** Opaque additions to calls, by call id. */
  extras?: Readonly<Record<string, unknown>>
}

type Piece =
  | { text: string }
  /** Words of the user: those that follow each other become one message. */
  | { words: MessageContent }
  /** Pictures and documents cannot be in results: they go after the last of those that follow each other. */
  | { text: string; media: MessageContent }

/**
 * Serializes message lists for the model with the id `from`. Messages never change, so each
 * is serialized once.
 */
export function messageWriter(
  from: string,
  quirks: EndpointQuirks,
): (messages: readonly ModelMessage[], cache?: CacheLifetime | undefined) => string[] {
  const known = new WeakMap<ModelMessage, Piece>()
  const pieceOf = (message: ModelMessage): Piece => {
    let piece = known.get(message)
    if (!piece) {
      piece = write(message, from, quirks)
      known.set(message, piece)
    }
    return piece
  }
  return (messages, cache) => {
    const out: string[] = []
    let words: MessageContent | undefined
    let isAfterResults = false
    const flush = () => {
      if (words !== undefined && isAfterResults && quirks.noUserAfterResults) out.push(understood)
      if (words !== undefined) out.push(JSON.stringify({ role: 'user', content: parts(words) }))
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
 * Message between results and a user message, for endpoints that refuse a user message
 * directly after results.
 */
const understood = JSON.stringify({ role: 'assistant', content: 'Understood.' })

/** The system text as a part that says where what is kept ends; OpenRouter hands it on to Claude models. */
function markedSystem(text: string, cache: CacheLifetime): string {
  return JSON.stringify({
    role: 'system',
    content: [{ type: 'text', text, cache_control: cacheControl(cache) }],
  })
}

/** One content of two: chat templates of several open models refuse two messages of the user in a row. */
export function joinContents(before: MessageContent | undefined, after: MessageContent): MessageContent {
  if (before === undefined) return after
  if (typeof before === 'string' && typeof after === 'string') return `${before}\n\n${after}`
  return [...partsOf(before), ...partsOf(after)]
}

const partsOf = (content: MessageContent): readonly ContentPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

function write(message: ModelMessage, from: string, quirks: EndpointQuirks): Piece {
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
      const own: Record<string, unknown> = { role: 'assistant', content: message.content }
      if (calls && calls.length > 0) {
        own.tool_calls = calls
        if (message.content.trim() === '') own.content = null
      }
      if (quirks.returned !== 'no_returned_reasoning') {
        if (carry.reasoning) own[carry.reasoningField ?? 'reasoning_content'] = carry.reasoning
        if (carry.details) own.reasoning_details = carry.details
      }
      // what another model wrote has none of it; an empty text is taken for a missing one
      if (quirks.returned === 'needs_reasoning' && calls?.length) own.reasoning_content ??= ' '
      return { text: JSON.stringify(own) }
    }
  }
}

function writeResult(message: ModelMessage & { role: 'tool' }, quirks: EndpointQuirks): Piece {
  const text = contentText(message.content)
  const media = typeof message.content === 'string' ? [] : message.content.filter((p) => p.type !== 'text')
  const noun = media.every((part) => part.type === 'document') ? 'document' : 'image'
  const content = text === '' && media.length > 0 ? `(see the ${noun} below)` : text
  const own = JSON.stringify({ role: 'tool', tool_call_id: callId(message.callId, quirks), content })
  if (media.length === 0) return { text: own }
  const Noun = noun === 'document' ? 'Document' : 'Image'
  const intro = `${Noun}${media.length > 1 ? 's' : ''} from the result of ${message.name}:`
  return { text: own, media: [{ type: 'text', text: intro }, ...media] }
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
 * Arguments as JSON text. Some endpoints parse what they are sent, so broken text goes back inside an object.
 */
export function argumentsOf(call: ModelToolCall): string {
  return JSON.stringify(call.malformed ? { not_json: call.malformed.raw } : (call.args ?? {}))
}

function parts(content: MessageContent): string | unknown[] {
  if (typeof content === 'string') return content
  return content.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    const url = `data:${part.mime};base64,${part.base64}`
    if (part.type === 'image') return { type: 'image_url', image_url: { url } }
    return { type: 'file', file: { filename: part.name, file_data: url } }
  })
}

const toolTexts = new WeakMap<readonly ToolSpec[], string>()

/** The list of tools as JSON text; made once per list. */
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
