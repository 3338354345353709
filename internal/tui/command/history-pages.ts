// A thread backwards, in pages.
import type { SessionClient, SessionEvent } from '../../session/client.ts'

/** Events that are read at a time. */
const pageSize = 500

/** The events before a position: the newest page first, within a page the oldest event. */
export async function* readHistoryPages(
  client: Pick<SessionClient, 'readHistory'>,
  position: number,
): AsyncGenerator<SessionEvent[], void> {
  for (let before = position; before > 1; ) {
    const page = await client.readHistory(before, pageSize)
    const [first] = page
    if (!first || !('pos' in first) || first.pos === undefined) return
    yield page
    before = first.pos
  }
}
