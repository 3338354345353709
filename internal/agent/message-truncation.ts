// Cuts what single messages hold, for a conversation that does not fit although few turns have gone by.

import type { MessageContent, ModelMessage, ModelToolCall } from '../model/model.ts'
import { clip } from '../tool/clip/clip.ts'

/** Shorter than this a text says nothing any more. */
const minTextChars = 200

/**
 * Cuts every text of the conversation to `maxChars`, its beginning and its end kept, and leaves pictures out;
 * in place.
 */
export function shortenMessages(messages: ModelMessage[], maxChars: number): void {
  for (const [i, message] of messages.entries()) messages[i] = shortenMessage(message, maxChars)
}

/** The longest texts that make `weigh` of the conversation at most `max`, in characters; never below 200. */
export function findTextLimit(
  messages: readonly ModelMessage[],
  max: number,
  weigh: (messages: readonly ModelMessage[]) => number,
): number {
  for (let limit = Math.max(minTextChars, max * 4); ; limit = Math.max(minTextChars, Math.floor(limit / 2))) {
    if (limit === minTextChars) return limit
    if (weigh(messages.map((message) => shortenMessage(message, limit))) <= max) return limit
  }
}

function shortenMessage(message: ModelMessage, maxChars: number): ModelMessage {
  switch (message.role) {
    case 'system':
      return message
    case 'assistant': {
      const content = shortenText(message.content, maxChars)
      if (!message.calls) return { ...message, content }
      return { ...message, content, calls: message.calls.map((call) => shortenCall(call, maxChars)) }
    }
    default:
      return { ...message, content: shortenContent(message.content, maxChars) }
  }
}

function shortenContent(content: MessageContent, maxChars: number): string {
  if (typeof content === 'string') return shortenText(content, maxChars)
  const text = content.map((part) => (part.type === 'text' ? part.text : '(picture left out)')).join('\n')
  return shortenText(text, maxChars)
}

function shortenCall(call: ModelToolCall, maxChars: number): ModelToolCall {
  const args = shortenValue(call.args, maxChars)
  if (!call.malformed) return { ...call, args }
  return { ...call, args, malformed: { ...call.malformed, raw: shortenText(call.malformed.raw, maxChars) } }
}

function shortenValue(value: unknown, maxChars: number): unknown {
  if (typeof value === 'string') return shortenText(value, maxChars)
  if (Array.isArray(value)) return value.map((item) => shortenValue(item, maxChars))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortenValue(item, maxChars)]))
}

const note =
  "\n[… to fit the model's window the middle of this was left out; read what you need in smaller parts …]"

function shortenText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const cut = clip(text, { chars: maxChars, lines: Number.POSITIVE_INFINITY, keep: 'ends' })
  return `${cut.text}${note}`
}
