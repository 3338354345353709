// Earlier messages of users in the threads of a workspace.
import type { Store } from '../../store/store.ts'

/**
 * Maximum number of latest messages that are read of each thread, including those of the model. Older
 * messages are not offered, because users do not step back that far.
 */
const maxMessages = 200

/**
 * Returns at most `limit` messages that the user wrote, the newest ones, sorted from old to new. Only the
 * last 200 messages of each thread are read. Of identical messages only the last counts.
 */
export function listPastMessages(store: Store, threads: readonly string[], limit: number): string[] {
  const messages = threads.flatMap((thread) =>
    store.threads.tail(thread, maxMessages, ['message']).flatMap((event) => {
      if (event.type !== 'message' || event.payload.role !== 'user') return []
      const { origin, text } = event.payload
      return origin === undefined && text.trim() !== '' ? [{ text, ts: event.ts }] : []
    }),
  )
  const newestFirst = messages.sort((a, b) => b.ts - a.ts).map(({ text }) => text)
  return [...new Set(newestFirst)].slice(0, limit).reverse()
}
