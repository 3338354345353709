// The events of a run as server-sent events: from its process while that lives, else from what is stored.
import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError } from '../../base/errors.ts'
import type { SessionEvent } from '../../session/client.ts'
import type { ServerBackend } from '../backend.ts'

/** How often somebody who watches a run that has ended looks whether it goes on. */
const maxPauseMs = 1_000
/** So that what lies between does not take the connection for dead. */
const heartbeatMs = 15_000

type Followed = { kind: 'event'; event: SessionEvent } | { kind: 'gap' } | { kind: 'quiet' }

/** Stored events after `after` once and in order, whatever becomes of processes; ends with `signal`. */
export async function* followRun(
  backend: ServerBackend,
  thread: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Followed, void> {
  let last = after
  let quietSince = Date.now()
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
        for await (const event of client.readEvents(last, signal))
          if (isNew(event)) yield { kind: 'event', event }
    } catch (error) {
      if (!(error instanceof FailureError)) throw error
      // who reads too slowly is told that some words were left out, and goes on with what is stored
      if (error.failure.code === 'lagged') yield { kind: 'gap' }
    } finally {
      await client?.detach()
    }
    const stored = (await backend.readStored(thread, last)) ?? []
    for (const event of stored) if (isNew(event)) yield { kind: 'event', event }
    if (stored.length > 0 || signal.aborted) continue
    if (Date.now() - quietSince > heartbeatMs) {
      quietSince = Date.now()
      yield { kind: 'quiet' }
    }
    await sleep(maxPauseMs, undefined, { signal }).catch(() => undefined)
  }
}

/** The id of an event is its position: a client that comes again names the last one it has. */
function formatServerEvent(followed: Followed): string {
  if (followed.kind === 'quiet') return ': \n\n'
  if (followed.kind === 'gap') return 'event: gap\ndata: {}\n\n'
  const { event } = followed
  const pos = 'pos' in event ? event.pos : undefined
  const id = pos === undefined ? '' : `id: ${pos}\n`
  return `${id}data: ${JSON.stringify(event)}\n\n`
}

/** Makes no more than the client takes. */
export function toStream(
  events: AsyncGenerator<Followed, void>,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await events.next()
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
