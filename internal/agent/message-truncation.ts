// The truncation of long messages, for a conversation that does not fit although it has few turns.

import type { MessageContent, ModelMessage, ModelToolCall } from '../model/model.ts'
import { clip } from '../tool/clip/clip.ts'
import { isUserMessage } from './user-messages.ts'

/** Smallest length in characters to which a text is truncated; a shorter text would say too little. */
const minTextChars = 200

/** Messages that are not shortened: all of the user's, the user's latest, or none. */
export type WholeMessages = 'user' | 'latest' | 'none'

/**
 * Truncates every text and argument over `maxChars` to its beginning and its end, followed by a note.
 * Replaces images and documents with short notes. Changes neither the messages of `whole` nor system
 * messages. In place.
 */
export function shortenMessages(messages: ModelMessage[], maxChars: number, whole: WholeMessages): void {
  messages.splice(0, messages.length, ...shortenAll(messages, maxChars, whole))
}

function shortenAll(
  messages: readonly ModelMessage[],
  maxChars: number,
  whole: WholeMessages,
): ModelMessage[] {
  const latest = messages.findLastIndex(isUserMessage)
  const isWhole = (message: ModelMessage, i: number) =>
    whole !== 'none' && (whole === 'user' ? isUserMessage(message) : i === latest)
  return messages.map((message, i) => (isWhole(message, i) ? message : shortenMessage(message, maxChars)))
}

/**
 * Returns a text length with which `weigh` of the truncated conversation is at most `max`, found by halving.
 * The length is never below 200 characters; `fits` is false if even that is too long.
 */
export function findTextLimit(
  messages: readonly ModelMessage[],
  max: number,
  weigh: (messages: readonly ModelMessage[]) => number,
  whole: WholeMessages,
): { maxChars: number; fits: boolean } {
  for (let limit = Math.max(minTextChars, max * 4); ; limit = Math.max(minTextChars, Math.floor(limit / 2))) {
    const fits = weigh(shortenAll(messages, limit, whole)) <= max
    if (fits || limit === minTextChars) return { maxChars: limit, fits }
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
  const text = content.map((part) => (part.type === 'text' ? part.text : `(${part.type} omitted)`)).join('\n')
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
  const excerpt = clip(text, { chars: maxChars, lines: Number.POSITIVE_INFINITY, keep: 'ends' })
  return `${excerpt.text}${note}`
}
