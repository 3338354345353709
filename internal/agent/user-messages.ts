// The user's own messages of a conversation: the choice of those that stay word for word in a compaction.
import type { ModelMessage } from '../model/model.ts'
import { contentText, estimateTokens } from '../model/tokens.ts'

/**
 * Limits for older messages of the user together: a share of the window, and a number of tokens. The smaller
 * one applies; the latest message always stays complete.
 */
const keptShare = 0.15
const maxKeptTokens = 20_000
/**
 * Limits for excerpts of the user's messages that do not stay: a share of the window for all together, and
 * characters for each.
 */
const excerptShare = 0.05
const excerptChars = 300

/** Returns true for messages of the user; notes of Anode and mail are not. */
export const isUserMessage = (message: ModelMessage): boolean =>
  message.role === 'user' && message.origin === undefined

interface UserMessages {
  /** Positions of the messages that stay in the conversation, oldest first. */
  kept: number[]
  /** Text about the messages that do not stay; empty if all stay. */
  excerpts: string
}

/**
 * Chooses messages of the user before `end` that stay: the latest of the conversation, then each that still
 * fits, newest first. The others have excerpts in `excerpts`, or are only counted there.
 */
export function chooseUserMessages(
  messages: readonly ModelMessage[],
  end: number,
  window: number,
): UserMessages {
  const latest = messages.findLastIndex(isUserMessage)
  const before = messages.flatMap((message, i) => (i < end && isUserMessage(message) ? [i] : []))
  let room = Math.min(window * keptShare, maxKeptTokens)
  const keptIndexes: number[] = []
  const others: ModelMessage[] = []
  for (const i of before.reverse()) {
    const message = messages[i] as ModelMessage
    const tokens = i === latest ? 0 : estimateTokens([message])
    if (tokens > room) others.push(message)
    else {
      room -= tokens
      keptIndexes.push(i)
    }
  }
  return { kept: keptIndexes.reverse(), excerpts: listExcerpts(others, window) }
}

/** Returns excerpts of messages as text, oldest first. `others` is sorted latest first. */
function listExcerpts(others: readonly ModelMessage[], window: number): string {
  if (others.length === 0) return ''
  let room = window * excerptShare * 4
  const lines: string[] = []
  for (const message of others) {
    const text = contentText(message.content).replace(/\s+/g, ' ').trim()
    const isLong = text.length > excerptChars
    const line = `- ${isLong ? `${text.slice(0, excerptChars).toWellFormed()} […]` : text}`
    room -= line.length
    if (room < 0 && lines.length > 0) break
    lines.push(line)
  }
  const more = others.length - lines.length
  const rest = more === 0 ? [] : [`- (${more} older in the thread)`]
  return ['Messages of the user that are too long to stay, shortened:', ...rest, ...lines.reverse()].join(
    '\n',
  )
}
