// The stored events of a thread, read in pages, newest page first.
import type { SessionClient, SessionEvent } from '../../session/client.ts'
import type { SessionView } from '../../session/view/session-view.ts'

/** Number of events in one page. */
const pageSize = 500

/**
 * Returns every stored event of the shown thread, in order. The view of a long thread contains only
 * the thread's end.
 */
export async function readWholeThread({
  client,
  view,
}: {
  client: Pick<SessionClient, 'readHistory'>
  view: Pick<SessionView, 'pos'>
}): Promise<SessionEvent[]> {
  const pages: SessionEvent[][] = []
  for await (const page of readHistoryPages(client, view.pos + 1)) pages.unshift(page)
  return pages.flat()
}

/**
 * Yields pages of the events before a position, newest page first. Within a page the oldest event is first.
 */
async function* readHistoryPages(
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
