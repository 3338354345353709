// What people said before in threads that go on or have ended.
import type { Store } from '../../store/store.ts'

/** Messages of each thread that are looked at: beyond them nobody steps back key by key. */
const maxMessages = 200

/** Oldest first; of a text that was said more than once the last time counts. */
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
