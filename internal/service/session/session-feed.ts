// The feed of a session: delivers each event once and in order to every client. A client that reads too
// slowly gets an error.
import { FailureError } from '../../base/errors.ts'
import type { SessionEvent } from '../../session/client.ts'

export interface SessionFeed {
  publish(event: SessionEvent): void
  /** Collects events from now on. They are delivered when `read` of the reader is iterated. */
  subscribe(signal: AbortSignal): FeedReader
  /** Ends every reader after it has read the remaining events. */
  close(): void
}

export interface FeedReader {
  /**
   * Yields the events until the feed closes or `signal` of `subscribe` aborts. Throws FailureError `lagged`
   * if the client has more than 1,000 unread events, or more than 4 Mi characters in them.
   */
  read(): AsyncGenerator<SessionEvent, void>
}

const maxUnreadEvents = 1_000
const maxUnreadCharacters = 4 * 1024 * 1024

interface EventQueue {
  events: SessionEvent[]
  characters: number
  isLagged: boolean
  isClosed: boolean
  wake: () => void
}

export function createSessionFeed(): SessionFeed {
  const queues = new Set<EventQueue>()
  return {
    publish(event) {
      for (const queue of queues) {
        enqueueEvent(queue, event)
        queue.wake()
      }
    },
    subscribe(signal) {
      const queue: EventQueue = {
        events: [],
        characters: 0,
        isLagged: false,
        isClosed: false,
        wake: () => undefined,
      }
      queues.add(queue)
      const leave = () => {
        queue.isClosed = true
        queues.delete(queue)
        queue.wake()
      }
      if (signal.aborted) leave()
      signal.addEventListener('abort', leave, { once: true })
      return {
        async *read() {
          try {
            yield* readQueue(queue, signal)
          } finally {
            signal.removeEventListener('abort', leave)
            queues.delete(queue)
          }
        },
      }
    },
    close() {
      for (const queue of queues) {
        queue.isClosed = true
        queue.wake()
      }
      queues.clear()
    },
  }
}

async function* readQueue(queue: EventQueue, signal: AbortSignal): AsyncGenerator<SessionEvent, void> {
  while (!signal.aborted) {
    if (queue.isLagged)
      throw new FailureError({
        code: 'lagged',
        message: 'more has happened than was read',
        hint: 'read again from your position',
      })
    const batch = queue.events
    queue.events = []
    queue.characters = 0
    for (const event of batch) {
      yield event
      if (signal.aborted) return
    }
    if (batch.length > 0) continue
    if (queue.isClosed) return
    await new Promise<void>((resolve) => {
      queue.wake = resolve
    })
    queue.wake = () => undefined
  }
}

/**
 * Adds an event. Text deltas, the only events that can arrive fast, are merged. Marks a queue with too many
 * events or characters as lagged and empties it.
 */
function enqueueEvent(queue: EventQueue, event: SessionEvent): void {
  if (queue.isLagged) return
  const last = queue.events.at(-1)
  queue.characters += measureEvent(event)
  if (last && isDelta(last) && isDelta(event)) {
    const { text: before = '', reasoning: thought = '' } = last.payload
    const { text = '', reasoning = '' } = event.payload
    const payload = { ...event.payload, text: before + text, reasoning: thought + reasoning }
    queue.events[queue.events.length - 1] = { ...event, payload }
  } else queue.events.push(event)
  if (queue.events.length <= maxUnreadEvents && queue.characters <= maxUnreadCharacters) return
  queue.isLagged = true
  queue.events = []
}

type MessageDelta = Extract<SessionEvent, { type: 'message.delta' }>

const isDelta = (event: SessionEvent): event is MessageDelta =>
  event.type === 'message.delta' && event.status === undefined

/** Returns the size of an event in characters; an estimate for types that cannot be large. */
function measureEvent(event: SessionEvent): number {
  switch (event.type) {
    case 'message.delta':
      return (event.payload.text?.length ?? 0) + (event.payload.reasoning?.length ?? 0)
    case 'message':
    case 'tool.result':
      return JSON.stringify(event.payload).length
    default:
      return 500
  }
}
