// A thread backwards, in pages.
import type { SessionClient, SessionEvent } from '../../session/client.ts'
import type { SessionView } from '../../session/view/session-view.ts'

/** Events that are read at a time. */
const pageSize = 500

/** Every stored event of the thread that is shown, in order: its view holds the end of a long one alone. */
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

/** The events before a position: the newest page first, within a page the oldest event. */
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
