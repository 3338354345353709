// Server-sent events of runs, from their live processes, and of records that are read by number.
import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError } from '../../base/errors.ts'
import type { SessionEvent, TopicEvent } from '../../session/client.ts'
import type { ServerBackend, TopicReader } from '../backend.ts'
import { ProblemError } from './problem.ts'
import type { RouteCall } from './server-route.ts'

/** Milliseconds between checks whether an ended run has resumed. */
const maxPauseMs = 1_000
const recordPauseMs = 500
/** Milliseconds between heartbeats, so that proxies keep the connection open. */
const usualHeartbeatMs = 15_000

/** Limit of concurrent streams of all clients. */
const maxStreams = 64

/**
 * An item of a stream. `id` is the position after which a client resumes; undefined for an item that is
 * not sent again.
 */
type StreamItem =
  | { kind: 'event'; id: number | undefined; data: unknown }
  | { kind: 'gap' }
  /** The last item; a new connection brings no more. */
  | { kind: 'end' }

/** Yields stored events after `after` once and in order, across ends of processes, until `signal` aborts. */
export async function* followRun(
  backend: ServerBackend,
  thread: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamItem, void> {
  let last = after
  const isNew = (event: SessionEvent) => {
    const pos = 'pos' in event ? event.pos : undefined
    if (pos !== undefined && pos <= last) return false
    last = pos ?? last
    return true
  }
  while (!signal.aborted) {
    const client = await backend.watchRun(thread)
    try {
      if (client)
        for await (const event of client.readEvents(last, signal)) if (isNew(event)) yield itemOf(event)
    } catch (error) {
      if (!(error instanceof FailureError)) throw error
      // a slow client learns that deltas are missing, and continues with stored events
      if (error.failure.code === 'lagged') yield { kind: 'gap' }
    } finally {
      await client?.detach()
    }
    const stored = (await backend.readStored(thread, last)) ?? []
    for (const event of stored) if (isNew(event)) yield itemOf(event)
    if (stored.length > 0 || signal.aborted) continue
    await sleep(maxPauseMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Returns an item; its id is the event's position, which a reconnecting client sends. */
const itemOf = (event: TopicEvent): StreamItem => ({
  kind: 'event',
  id: 'pos' in event ? event.pos : undefined,
  data: event,
})

/** Yields a topic until its end; for events with positions only the later ones. Ends when `signal` aborts. */
export async function* followTopic(
  read: TopicReader,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamItem, void> {
  for await (const event of read(after, signal)) yield itemOf(event)
  if (!signal.aborted) yield { kind: 'end' }
}

/** Yields records with rising numbers by polling, until `signal` aborts. */
export async function* followRecords<T>(
  read: (after: number) => Promise<readonly T[]>,
  numberOf: (record: T) => number,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamItem, void> {
  let last = after
  while (!signal.aborted) {
    const records = await read(last)
    for (const record of records) {
      last = numberOf(record)
      yield { kind: 'event', id: last, data: record }
    }
    if (records.length > 0) continue
    await sleep(recordPauseMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Returns the position at which the client resumes. Throws ProblemError 400 for an invalid position. */
export function readPosition({ header, query }: Pick<RouteCall, 'header' | 'query'>): number {
  const given = header('last-event-id') ?? query.get('after') ?? '0'
  const after = Number(given)
  if (!/^\d*$/.test(given) || !Number.isSafeInteger(after))
    throw new ProblemError(400, 'invalid position: expected a whole number from 0')
  return after
}

/** Returns a stream that is open until the client leaves. Throws ProblemError 503 if too many are open. */
export function streamEvents(
  { counts, signal }: Pick<RouteCall, 'counts' | 'signal'>,
  follow: (signal: AbortSignal) => AsyncGenerator<StreamItem, void>,
  heartbeatMs = usualHeartbeatMs,
): Response {
  if (counts.streams >= maxStreams) throw new ProblemError(503, `${maxStreams} streams are already open`)
  counts.streams++
  const stop = new AbortController()
  let isOpen = true
  const ended = () => {
    if (isOpen) counts.streams--
    isOpen = false
    stop.abort()
  }
  signal.addEventListener('abort', ended, { once: true })
  return new Response(toStream(follow(stop.signal), heartbeatMs, ended), {
    headers: { 'content-type': 'text/event-stream' },
  })
}

function formatServerEvent(item: StreamItem): string {
  if (item.kind !== 'event') return `event: ${item.kind}\ndata: {}\n\n`
  const id = item.id === undefined ? '' : `id: ${item.id}\n`
  return `${id}data: ${JSON.stringify(item.data)}\n\n`
}

/**
 * Returns a stream that produces no more than the client reads; a comment as heartbeat shows that
 * it is alive.
 */
function toStream(
  events: AsyncGenerator<StreamItem, void>,
  heartbeatMs: number,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next: Promise<IteratorResult<StreamItem, void>> | undefined
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          next ??= events.next()
          // a rejection after the client has left must not go unhandled
          next.catch(() => undefined)
          const found = await beforeTimeout(next, heartbeatMs)
          if (!found) return controller.enqueue(encoder.encode(': \n\n'))
          next = undefined
          const { done, value } = found
          if (!done) return controller.enqueue(encoder.encode(formatServerEvent(value)))
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        ended()
      },
      async cancel() {
        ended()
        await events.return()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Returns the result of `work`, or undefined if it takes longer than `ms`. */
async function beforeTimeout<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const quiet = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  try {
    return await Promise.race([work, quiet])
  } finally {
    clearTimeout(timer)
  }
}
