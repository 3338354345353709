// Streams of server-sent events: the events of a run, and the numbered records of a study,
// build or experiment.
import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError } from '../../base/errors.ts'
import type { SessionEvent, TopicEvent } from '../../session/client.ts'
import type { RunAccess, TopicReader } from '../backend.ts'
import { ProblemError } from './problem.ts'
import type { RouteCall } from './server-route.ts'

/** Milliseconds between two checks whether a run that has ended runs again. */
const maxPauseMs = 1_000
const recordPauseMs = 500
/**
 * Milliseconds without an event after which the stream sends a comment, so that proxies do not
 * close the connection.
 */
const usualHeartbeatMs = 15_000

/** Largest number of open streams of all clients together. A further request gets status 503. */
const maxStreams = 64

/**
 * An item of a stream. `id` is the position of the event, from which a client can continue later; undefined
 * for an event that is not stored.
 */
type StreamItem =
  | { kind: 'event'; id: number | undefined; data: unknown }
  | { kind: 'gap' }
  /** The last item; a new connection brings no more. */
  | { kind: 'end' }

/**
 * Yields the stored events after the position `after`, once and in order, and live events that are not
 * stored, such as parts of a response (deltas). Continues if another process continues the run. If a reader
 * is too slow, it gets an item `gap` in place of lost deltas. Ends when `signal` aborts.
 */
export async function* followRun(
  runs: Pick<RunAccess, 'watch' | 'readStored'>,
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
    const client = await runs.watch(thread)
    try {
      if (client)
        for await (const event of client.readEvents(last, signal)) if (isNew(event)) yield itemOf(event)
    } catch (error) {
      if (!(error instanceof FailureError)) throw error
      // A client that is too slow gets the item `gap` in place of the missing deltas, and then
      // the stored events.
      if (error.failure.code === 'lagged') yield { kind: 'gap' }
    } finally {
      await client?.detach()
    }
    const stored = (await runs.readStored(thread, last)) ?? []
    for (const event of stored) if (isNew(event)) yield itemOf(event)
    if (stored.length > 0 || signal.aborted) continue
    await sleep(maxPauseMs, undefined, { signal }).catch(() => undefined)
  }
}

/**
 * Returns an event as an item. Its id is the position of the event, which a client sends when it reconnects;
 * undefined for an event without a position.
 */
const itemOf = (event: TopicEvent): StreamItem => ({
  kind: 'event',
  id: 'pos' in event ? event.pos : undefined,
  data: event,
})

/**
 * Yields the events of a topic, such as a subagent, and after its end the item `end`. Stored events are
 * yielded only after the position `after`. Without the item `end`, it stops when `signal` aborts.
 */
export async function* followTopic(
  read: TopicReader,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamItem, void> {
  for await (const event of read(after, signal)) yield itemOf(event)
  if (!signal.aborted) yield { kind: 'end' }
}

interface NumberedRecord {
  readonly seq: number
}

/**
 * Yields the records after number `after`, in the order of their numbers, and checks for new ones every half
 * second. Ends when `signal` aborts.
 */
async function* followRecords(
  read: (after: number) => Promise<readonly NumberedRecord[]>,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamItem, void> {
  let last = after
  while (!signal.aborted) {
    const records = await read(last)
    for (const record of records) {
      last = record.seq
      yield { kind: 'event', id: last, data: record }
    }
    if (records.length > 0) continue
    await sleep(recordPauseMs, undefined, { signal }).catch(() => undefined)
  }
}

/**
 * Returns the position at which the client resumes, from the header `Last-Event-ID` or else the query
 * `after`; 0 if the client names no position. Throws ProblemError 400 for an invalid position.
 */
export function readPosition({ header, query }: Pick<RouteCall, 'header' | 'query'>): number {
  const positionText = header('last-event-id') ?? query.get('after') ?? '0'
  const after = Number(positionText)
  if (!/^\d*$/.test(positionText) || !Number.isSafeInteger(after))
    throw new ProblemError(400, 'invalid position: expected a whole number from 0')
  return after
}

/**
 * Returns the response with a stream that stays open until its items end, the client leaves or `signal`
 * aborts. Throws ProblemError 503 if 64 streams are already open.
 */
export function streamEvents(
  { counts, signal }: Pick<RouteCall, 'counts' | 'signal'>,
  follow: (signal: AbortSignal) => AsyncGenerator<StreamItem, void>,
  heartbeatMs = usualHeartbeatMs,
): Response {
  if (counts.streams >= maxStreams) throw new ProblemError(503, `${maxStreams} streams are already open`)
  counts.streams++
  const stop = new AbortController()
  let isOpen = true
  const endStream = () => {
    if (isOpen) counts.streams--
    isOpen = false
    stop.abort()
  }
  signal.addEventListener('abort', endStream, { once: true })
  if (signal.aborted) endStream()
  return new Response(toStream(follow(stop.signal), heartbeatMs, endStream), {
    headers: { 'content-type': 'text/event-stream' },
  })
}

/**
 * Returns the response with a stream of the records after the position of the client. Throws the error of
 * `refuse` for an unknown id, for which `read` returns undefined.
 */
export async function streamRecords(
  call: RouteCall,
  read: (id: string, after: number) => Promise<readonly NumberedRecord[] | undefined>,
  refuse: (id: string) => ProblemError,
): Promise<Response> {
  const id = call.param('id')
  const after = readPosition(call)
  if (!(await read(id, after))) throw refuse(id)
  const readNext = async (last: number) => (await read(id, last)) ?? []
  return streamEvents(call, (signal) => followRecords(readNext, after, signal))
}

function formatServerEvent(item: StreamItem): string {
  if (item.kind !== 'event') return `event: ${item.kind}\ndata: {}\n\n`
  const id = item.id === undefined ? '' : `id: ${item.id}\n`
  return `${id}data: ${JSON.stringify(item.data)}\n\n`
}

/**
 * Returns a stream that is filled only as fast as the client reads, and calls `endStream` when it ends.
 * Without an item for `heartbeatMs`, a comment shows that the connection is alive.
 */
function toStream(
  events: AsyncGenerator<StreamItem, void>,
  heartbeatMs: number,
  endStream: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next: Promise<IteratorResult<StreamItem, void>> | undefined
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          next ??= events.next()
          // The client may have left, so a later rejection is handled here.
          next.catch(() => undefined)
          const nextResult = await beforeTimeout(next, heartbeatMs)
          if (!nextResult) return controller.enqueue(encoder.encode(': \n\n'))
          next = undefined
          const { done, value } = nextResult
          if (!done) return controller.enqueue(encoder.encode(formatServerEvent(value)))
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        endStream()
      },
      async cancel() {
        endStream()
        await events.return()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Settles like `work`, or resolves to undefined if it takes longer than `ms` milliseconds. */
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
