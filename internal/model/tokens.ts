// Estimates of tokens, at four characters per token, for content that no endpoint has counted, and their
// correction by what providers count.
import type { DocumentPart, MessageContent, ModelMessage, ModelRequest } from './model.ts'

/** Estimated tokens of an image. Providers publish similar numbers for a mid-sized image. */
const imageTokens = 1000

/** Estimated tokens of a document's page: its text and an image of it. */
const pageTokens = 2000

/** Returns the estimated tokens of a document. */
export const documentTokens = ({ pages }: Pick<DocumentPart, 'pages'>): number => pages * pageTokens

/** Returns the estimated tokens of a text: `ceil(characters / 4)`. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4)

/** Returns the text parts of a message's content, joined by line breaks. Images and documents are omitted. */
export function contentText(content: MessageContent): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

const messageTokens = new WeakMap<ModelMessage, number>()

/** Returns the estimated tokens of one message. Messages never change, so the number is cached. */
export function weighMessage(message: ModelMessage): number {
  const before = messageTokens.get(message)
  if (before !== undefined) return before
  let tokens = tokensOf(contentText(message.content))
  if (typeof message.content !== 'string') {
    for (const part of message.content) {
      if (part.type === 'image') tokens += imageTokens
      if (part.type === 'document') tokens += documentTokens(part)
    }
  }
  if (message.role === 'assistant') {
    for (const call of message.calls ?? []) {
      tokens += tokensOf(call.name + (call.malformed?.raw ?? JSON.stringify(call.args ?? {})))
    }
  }
  messageTokens.set(message, tokens)
  return tokens
}

const toolWeights = new WeakMap<object, number>()

const requestWeights = new WeakMap<object, number>()

/**
 * Returns the estimated input tokens of a request: messages and tools. Cached, because a turn needs the
 * number several times.
 */
export function estimateRequest(request: Pick<ModelRequest, 'messages' | 'tools'>): number {
  const before = requestWeights.get(request)
  if (before !== undefined) return before
  let tools = toolWeights.get(request.tools)
  if (tools === undefined) {
    tools = request.tools.length === 0 ? 0 : tokensOf(JSON.stringify(request.tools))
    toolWeights.set(request.tools, tools)
  }
  const tokens = request.messages.reduce((sum, message) => sum + weighMessage(message), tools)
  requestWeights.set(request, tokens)
  return tokens
}

/**
 * Upper limit of the factor by which a real number of tokens exceeds the estimate; numbered lines and JSON
 * come near it.
 */
const worstScale = 2.5

/**
 * Returns an object that measures by which factor estimates are too low: the provider's last count of tokens,
 * divided by the estimate. `value` is from 1 to 2.5. It is never below 1, because a server that drops a part
 * of the prompt also counts less.
 */
export function createTokenScale(): {
  value(): number
  measured(request: ModelRequest, counted: number): void
} {
  let scale = 1
  return {
    value: () => scale,
    measured(request, counted) {
      scale = Math.min(worstScale, Math.max(1, counted / Math.max(1, estimateRequest(request))))
    },
  }
}

/**
 * Returns the estimated tokens: four characters count as one, an image or a document as 1,500, and each
 * message as 4 more.
 */
export function estimateTokens(messages: readonly ModelMessage[]): number {
  return Math.ceil(messages.reduce((sum, message) => sum + measureMessage(message), 0) / 4)
}

const measured = new WeakMap<ModelMessage, number>()

/**
 * Returns the characters of a message, plus 16 for the message and 6,000 for each image or document. The
 * number is cached, because the message never changes and every turn needs all of them.
 */
function measureMessage(message: ModelMessage): number {
  const cachedChars = measured.get(message)
  if (cachedChars !== undefined) return cachedChars
  const calls = message.role === 'assistant' && message.calls ? JSON.stringify(message.calls).length : 0
  const chars = countChars(message.content) + 16 + calls
  measured.set(message, chars)
  return chars
}

function countChars(content: MessageContent): number {
  if (typeof content === 'string') return content.length
  return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 6_000), 0)
}
