// Restoration of the view of a session from the recorded events of earlier processes.
import type { EventType } from '../../../event/event.ts'
import { foldSessionEvent } from '../../../session/view/fold.ts'
import type { RecordedEvent, Store } from '../../../store/store.ts'
import type { MessageQueue } from '../message-queue.ts'
import type { SessionFeedView } from '../session-feed-view.ts'

/**
 * Number of events at the end of a thread that are applied to the view. Of older events, only the types in
 * `summedTypes` are applied, because their totals and settings still count.
 */
const recentEvents = 500
const summedTypes: readonly EventType[] = [
  'system.init',
  'usage',
  'run.ended',
  'child.ended',
  'session.changed',
  'message.queued',
  'message.unqueued',
]

type ReadPage = (after: number) => readonly RecordedEvent[]

/**
 * Restores the view from the stored thread, and the queue with the messages that the model has
 * not received yet.
 */
export function restoreSession(feed: SessionFeedView, queue: MessageQueue, store: Store): void {
  const { thread: id } = feed.view
  const last = store.threads.tail(id, 1).at(-1)?.pos ?? 0
  const recent = Math.max(0, last - recentEvents)
  const fold = (read: ReadPage) => foldPages(feed, queue, read)
  fold((after) => store.threads.events(id, after, 500, summedTypes).filter(({ pos }) => pos <= recent))
  feed.view = { ...feed.view, todo: store.todos.read(id) }
  fold((after) => store.threads.events(id, Math.max(after, recent), 500))
  feed.view = { ...feed.view, title: store.threads.get(id)?.title ?? feed.view.title }
}

function foldPages(feed: SessionFeedView, queue: MessageQueue, read: ReadPage): void {
  for (let after = 0; ; ) {
    const page = read(after)
    for (const event of page) {
      feed.view = foldSessionEvent(feed.view, event)
      if (event.type === 'message.queued') queue.restore(event.payload)
      if (event.type === 'message.unqueued') queue.forget(event.payload.id)
    }
    const end = page.at(-1)
    if (!end) return
    after = end.pos
  }
}
