// Estimates of tokens, at four characters per token, for content that no endpoint has counted.
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

const known = new WeakMap<ModelMessage, number>()

/** Returns the estimated tokens of one message. Messages never change, so the number is cached. */
export function weighMessage(message: ModelMessage): number {
  const before = known.get(message)
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
  known.set(message, tokens)
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
