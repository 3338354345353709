// Conversion of messages and tools to the form of the Messages API. Each message is converted to
// JSON only once.
import { isObject } from '../../base/untrusted-json.ts'
import type { ContentPart, MessageContent, ModelMessage, ModelToolCall, ToolSpec } from '../model.ts'
import { strictCallId, strictName } from '../strict/tool-names.ts'
import { type CacheLifetime, cacheControl } from './cache-mark.ts'
import type { MessagesBlock } from './messages-fold.ts'
import { listTexts } from './request-body.ts'

/** The blocks of reasoning of a response, with the positions of its text and its calls among them. */
type MessagesCarry = readonly (
  | Extract<MessagesBlock, { type: 'thinking' | 'redacted_thinking' }>
  /** The next `length` characters of the text. */
  | { type: 'text'; length: number }
  | { type: 'call'; id: string }
)[]

/**
 * Number of new blocks after which one more cache mark is set, because the provider looks for a cached prefix
 * only in the 20 blocks before a mark.
 */
const maxUnmarkedBlocks = 15

/** Consecutive messages of one role, as JSON texts of their blocks. */
interface MessagesTurn {
  role: 'user' | 'assistant'
  results: string[]
  others: string[]
}

/**
 * Returns a function that serializes conversations for the model with the id `from`: the system text as
 * blocks and the turns as JSON. Messages never change, so each is serialized once and sent with the same
 * bytes again, except for marks.
 */
export function messagesWriter(
  from: string,
): (
  messages: readonly ModelMessage[],
  cache: CacheLifetime | undefined,
) => { system: string; messages: string[][] } {
  const cachedBlocks = new WeakMap<ModelMessage, string[]>()
  const blocksOf = (message: ModelMessage): string[] => {
    let blocks = cachedBlocks.get(message)
    if (!blocks) {
      blocks = writeMessage(message, from).map((block) => JSON.stringify(block))
      cachedBlocks.set(message, blocks)
    }
    return blocks
  }
  return (messages, cache) => {
    const begin = messages.findIndex(({ role }) => role !== 'system')
    const head = begin < 0 ? messages : messages.slice(0, begin)
    const turns = begin < 0 ? [] : joinTurns(messages.slice(begin), blocksOf)
    return {
      system: markLast(head.flatMap(blocksOf), cache),
      messages: writeTurns(turns, cache),
    }
  }
}

/**
 * Joins consecutive messages of one role into turns. Results come first in a user's turn, because each must
 * directly follow its call.
 */
function joinTurns(
  messages: readonly ModelMessage[],
  blocksOf: (message: ModelMessage) => string[],
): MessagesTurn[] {
  const turns: MessagesTurn[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    let turn = turns.at(-1)
    if (turn?.role !== role) {
      turn = { role, results: [], others: [] }
      turns.push(turn)
    }
    turn[message.role === 'tool' ? 'results' : 'others'].push(...blocksOf(message))
  }
  return turns.filter(({ results, others }) => results.length + others.length > 0)
}

/**
 * Returns each turn as JSON texts. A field of the request marks the last turn for the cache. If many
 * blocks follow the end of the previous request, that end gets a mark too, so that the provider finds
 * its cached prefix.
 */
function writeTurns(turns: readonly MessagesTurn[], cache: CacheLifetime | undefined): string[][] {
  const blocks = turns.map(({ results, others }) => [...results, ...others])
  const before = turns.findLastIndex(({ role }, i) => role === 'user' && i < turns.length - 1)
  const added = blocks.slice(before + 1).reduce((sum, { length }) => sum + length, 0)
  const marked = cache && added > maxUnmarkedBlocks ? before : -1
  return turns.map(({ role }, i) => {
    const turnBlocks = blocks[i] as string[]
    const content = i === marked ? [markLast(turnBlocks, cache)] : listTexts(turnBlocks)
    return [`{"role":"${role}","content":`, ...content, '}']
  })
}

const markText = (cache: CacheLifetime) => `"cache_control":${JSON.stringify(cacheControl(cache))}`

/** Returns a JSON list of the blocks. With `cache`, the last block is marked. */
function markLast(blocks: readonly string[], cache: CacheLifetime | undefined): string {
  const text = blocks.join(',')
  return cache && text !== '' ? `[${text.slice(0, -1)},${markText(cache)}}]` : `[${text}]`
}

type ContentBlock = Record<string, unknown>

function writeMessage(message: ModelMessage, from: string): ContentBlock[] {
  switch (message.role) {
    case 'system':
      return writeContent(message.content)
    case 'user':
      return writeContent(message.content)
    case 'tool': {
      const content = writeContent(message.content)
      const failed = message.failed === true && { is_error: true }
      return [{ type: 'tool_result', tool_use_id: strictCallId(message.callId), content, ...failed }]
    }
    case 'assistant': {
      const { carry } = message
      const carried = carry?.from === from ? (carry.value as MessagesCarry) : []
      return writeReply(message.content, message.calls ?? [], carried)
    }
  }
}

/**
 * Returns the blocks of a content without texts that are empty or only white space, which the API refuses.
 */
function writeContent(content: MessageContent): ContentBlock[] {
  const parts: readonly ContentPart[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return parts.flatMap((part): ContentBlock[] => {
    if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
    const source = { type: 'base64', media_type: part.mime, data: part.base64 }
    if (part.type === 'image') return [{ type: 'image', source }]
    return [{ type: 'document', source, title: part.name }]
  })
}

/**
 * Returns the blocks of a response. Reasoning keeps its position, unchanged, but is left out after the last
 * text or call. Text without a position precedes the first call, and calls without a position come last.
 */
function writeReply(text: string, calls: readonly ModelToolCall[], carried: MessagesCarry): ContentBlock[] {
  const waiting = new Map(calls.map((call) => [call.id, call]))
  let rest = text
  const out: ContentBlock[] = []
  for (const part of carried) {
    if (part.type === 'text') {
      out.push(...writeContent(rest.slice(0, part.length)))
      rest = rest.slice(part.length)
      continue
    }
    if (part.type !== 'call') {
      out.push(part)
      continue
    }
    const call = waiting.get(part.id)
    if (call) out.push(writeCall(call))
    waiting.delete(part.id)
  }
  // The text has no known position, so it is put before the first call.
  const firstCall = out.findIndex(({ type }) => type === 'tool_use')
  out.splice(firstCall < 0 ? out.length : firstCall, 0, ...writeContent(rest))
  out.push(...[...waiting.values()].map(writeCall))
  return out.slice(0, out.findLastIndex(({ type }) => !isThinking(type)) + 1)
}

const isThinking = (type: unknown) => type === 'thinking' || type === 'redacted_thinking'

function writeCall(call: ModelToolCall): ContentBlock {
  const { args, malformed } = call
  const whole = isObject(args) ? args : { value: args }
  const input = malformed ? { not_json: malformed.raw } : args === undefined ? {} : whole
  return { type: 'tool_use', id: strictCallId(call.id), name: strictName(call.name), input }
}

const toolTexts = new WeakMap<readonly ToolSpec[], Map<CacheLifetime | undefined, string>>()

/**
 * Returns the list of tools as JSON text, which is cached per list. With `cache`, the last tool is marked.
 */
export function messagesTools(tools: readonly ToolSpec[], cache: CacheLifetime | undefined): string {
  const texts = toolTexts.get(tools) ?? new Map<CacheLifetime | undefined, string>()
  toolTexts.set(tools, texts)
  let text = texts.get(cache)
  if (text === undefined) {
    const blocks = tools.map(({ name, description, schema }) =>
      JSON.stringify({ name: strictName(name), description, input_schema: schema }),
    )
    text = markLast(blocks, cache)
    texts.set(cache, text)
  }
  return text
}

/**
 * Returns the data that the next request has to send back with a response; undefined without reasoning. `ids`
 * are the ids of its calls, in order.
 */
export function messagesCarry(
  blocks: readonly MessagesBlock[],
  ids: readonly string[],
): MessagesCarry | undefined {
  if (!blocks.some(({ type }) => isThinking(type))) return undefined
  // A repeated call was merged with the first one, so the positions of calls are used only if
  // their numbers agree.
  const placed = blocks.filter(({ type }) => type === 'tool_use').length === ids.length
  let call = 0
  return blocks.flatMap((block): MessagesCarry => {
    if (block.type === 'text') return [{ type: 'text', length: block.text.length }]
    if (block.type !== 'tool_use') return [block]
    return placed ? [{ type: 'call', id: ids[call++] as string }] : []
  })
}

/** Returns the joined text of a response's text blocks. */
export const textOfBlocks = (blocks: readonly MessagesBlock[]): string =>
  blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')
