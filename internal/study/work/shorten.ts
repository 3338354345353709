// Keeps a worker's conversation within the window: the oldest results go, their evidence ids stay.
import type { ModelMessage } from '../../model/model.ts'
import { weigh } from '../../model/tokens.ts'

/** Share of the window that messages may fill, and how far they are brought down. */
const full = 0.75
const wanted = 0.5

const gone = 'left out to save room; what was cited stays on record, and it can be read again'

/**
 * Shortens in place and says whether anything was. Nobody is asked, so the same messages are always shortened the
 * same way. The newest results stay.
 */
export function shorten(messages: ModelMessage[], window: number, now: boolean): boolean {
  let size = messages.reduce((sum, message) => sum + weigh(message), 0)
  if (!now && size < window * full) return false
  const goal = now ? Math.min(size, window) * wanted : window * wanted
  let done = false
  const newest = messages.findLastIndex(({ role }) => role === 'assistant')
  for (const [i, message] of messages.entries()) {
    if (size <= goal || i >= newest) break
    if (message.role !== 'tool' || message.content === gone) continue
    const short: ModelMessage = { ...message, content: heading(message.content) }
    size += weigh(short) - weigh(message)
    messages[i] = short
    done = true
  }
  return done
}

/** The lines that name the evidence, and a word on the rest. */
function heading(content: unknown): string {
  const lines =
    typeof content === 'string' ? content.split('\n').filter((line) => line.startsWith('[evidence ')) : []
  return [...lines, `[${gone}]`].join('\n')
}
