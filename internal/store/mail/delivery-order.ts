// The order in which waiting messages are read.
import type { MailMessage } from '../store.ts'

/** A message in its sender's queue; `n` is its order of arrival. */
export interface WaitingMessage {
  n: number
  message: string
  type: MailMessage['type']
}

const rank: Readonly<Record<MailMessage['type'], number>> = {
  error: 0,
  question: 1,
  result: 2,
  status: 3,
  broadcast: 4,
}

/**
 * Merges the queues of the senders, each in order of arrival: never out of order within one sender; between
 * the heads of the queues the more pressing type goes first, then the earlier. At most `limit` messages.
 */
export function mergeQueues(queues: readonly (readonly WaitingMessage[])[], limit: number): WaitingMessage[] {
  const at = queues.map(() => 0)
  const merged: WaitingMessage[] = []
  while (merged.length < limit) {
    let best: { queue: number; head: WaitingMessage } | undefined
    for (const [queue, messages] of queues.entries()) {
      const head = messages[at[queue] as number]
      if (head && (!best || before(head, best.head))) best = { queue, head }
    }
    if (!best) break
    at[best.queue] = (at[best.queue] as number) + 1
    merged.push(best.head)
  }
  return merged
}

function before(a: WaitingMessage, b: WaitingMessage): boolean {
  return rank[a.type] < rank[b.type] || (rank[a.type] === rank[b.type] && a.n < b.n)
}
