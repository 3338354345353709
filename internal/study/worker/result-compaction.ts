// Removal of the oldest tool results from a worker's conversation. The ids of their evidence stay.

import type { ModelMessage } from '../../model/model.ts'
import { estimateTokens } from '../../model/tokens.ts'

const removalNotice = 'left out to save room; what was cited stays on record, and it can be read again'

/**
 * Removes the text of old results from `messages` until the conversation takes at most `room` tokens, or only
 * the latest results are left. Returns true if any was removed. No model is used, so the same messages always
 * give the same result.
 */
export function dropOldResults(messages: ModelMessage[], room: number): boolean {
  let size = estimateTokens(messages)
  let done = false
  const newest = messages.findLastIndex(({ role }) => role === 'assistant')
  for (const [i, message] of messages.entries()) {
    if (size <= room || i >= newest) break
    if (message.role !== 'tool' || isGone(message.content)) continue
    const short: ModelMessage = { ...message, content: shortenResult(message.content) }
    size += estimateTokens([short]) - estimateTokens([message])
    messages[i] = short
    done = true
  }
  return done
}

const isGone = (content: unknown) => typeof content === 'string' && content.endsWith(`[${removalNotice}]`)

/** Returns the lines of a result that list its evidence, and a notice that the rest was removed. */
function shortenResult(content: unknown): string {
  const lines =
    typeof content === 'string' ? content.split('\n').filter((line) => line.startsWith('[evidence ')) : []
  return [...lines, `[${removalNotice}]`].join('\n')
}
