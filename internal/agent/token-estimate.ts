// Sizes of conversations in tokens, estimated by characters and corrected by what providers count.
import type { MessageContent, ModelMessage, ModelRequest } from '../model/model.ts'
import { estimateRequest } from '../model/tokens.ts'

/** Largest factor between real and estimated tokens, for numbered lines and JSON. */
const worstScale = 2.5

/**
 * Returns a measure of the factor by which estimates are too low, from the provider's numbers of
 * tokens. The factor is from 1 to 2.5; it is at least 1, because a server that drops a part of the
 * prompt counts less too.
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

/** Returns the estimated tokens: four characters count as one, an image or a document as 1,500. */
export function estimateTokens(messages: readonly ModelMessage[]): number {
  return Math.ceil(messages.reduce((sum, message) => sum + measure(message), 0) / 4)
}

const measured = new WeakMap<ModelMessage, number>()

/** Returns the characters of a message, cached because it never changes and every turn needs all of them. */
function measure(message: ModelMessage): number {
  const known = measured.get(message)
  if (known !== undefined) return known
  const calls = message.role === 'assistant' && message.calls ? JSON.stringify(message.calls).length : 0
  const chars = size(message.content) + 16 + calls
  measured.set(message, chars)
  return chars
}

function size(content: MessageContent): number {
  if (typeof content === 'string') return content.length
  return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 6_000), 0)
}
