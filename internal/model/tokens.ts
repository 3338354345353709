// Sizes in tokens, estimated at four characters each where no endpoint has counted them.
import type { DocumentPart, MessageContent, ModelMessage, ModelRequest } from './model.ts'

/** An image costs about this many tokens with every provider that publishes a figure for a mid-sized one. */
const imageTokens = 1000

/** A page of a document costs about this many tokens: its text and an image of it. */
const pageTokens = 2000

/** Estimated tokens of a document. */
export const documentTokens = ({ pages }: Pick<DocumentPart, 'pages'>): number => pages * pageTokens

/** `ceil(characters / 4)`. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4)

/** The text of some content; images and documents are left out. */
export function contentText(content: MessageContent): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

const known = new WeakMap<ModelMessage, number>()

/** Estimated tokens of one message. Messages are never changed once made, so the figure is kept. */
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

/** Estimated input tokens of a request, messages and tool descriptions. A turn asks several times for it. */
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
