// Server-sent events of runs, from their processes while these live, and of whatever is read by its number.
import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError } from '../../base/errors.ts'
import type { SessionEvent, TopicEvent } from '../../session/client.ts'
import type { ServerBackend, TopicReader } from '../backend.ts'
import { ProblemError } from './problem.ts'
import type { RouteCall } from './server-route.ts'

/** How often somebody who watches a run that has ended looks whether it goes on. */
const maxPauseMs = 1_000
const recordPauseMs = 500
/** So that what lies between does not take the connection for dead. */
const usualHeartbeatMs = 15_000

/** Streams at the same time, over all clients. */
const maxStreams = 64

/** `id`: the number from which a client goes on; absent for what is not sent again. */
type StreamItem =
  | { kind: 'event'; id: number | undefined; data: unknown }
  | { kind: 'gap' }
  /** Nothing more will come, however often it is asked for. */
  | { kind: 'end' }

/** Stored events after `after` once and in order, whatever becomes of processes; ends with `signal`. */
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
      // who reads too slowly is told that some words were left out, and goes on with what is stored
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

/** The id of an event is its position: a client that comes again names the last one it has. */
const itemOf = (event: TopicEvent): StreamItem => ({
  kind: 'event',
  id: 'pos' in event ? event.pos : undefined,
  data: event,
})

/** A topic until it is over; of what has positions only the later ones. Ends with `signal`. */
export async function* followTopic(
  read: TopicReader,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamItem, void> {
  for await (const event of read(after, signal)) yield itemOf(event)
  if (!signal.aborted) yield { kind: 'end' }
}

/** Records with rising numbers, read again and again; ends with `signal`. */
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

/** Where the client wants to go on. Throws ProblemError 400 for what is no position. */
export function readPosition({ header, query }: Pick<RouteCall, 'header' | 'query'>): number {
  const given = header('last-event-id') ?? query.get('after') ?? '0'
  const after = Number(given)
  if (!/^\d*$/.test(given) || !Number.isSafeInteger(after))
    throw new ProblemError(400, 'invalid position: expected a whole number from 0')
  return after
}

/** Lives until the client leaves. Throws ProblemError 503 when too many are open. */
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

/** Makes no more than the client takes; where nothing comes a comment shows that it still stands. */
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
          // nobody may be there to take it when it fails
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

/** Undefined where it takes longer. */
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
