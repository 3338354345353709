// Client of a session that runs in another process, with the same interface, over a socket.
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { type FailureCode, FailureError } from '../../base/errors.ts'
import type {
  CommandReply,
  MentionChoice,
  SessionClient,
  SessionEvent,
  TopicEvent,
} from '../../session/client.ts'
import type { SessionTopic } from '../../session/topics.ts'
import { readMessages, sendMessage } from './message-lines.ts'
import type { SessionGreeting, SessionReply } from './session-request.ts'

/**
 * Largest number of unread events. A reader with more gets the error `lagged`, as in a session
 * of this process.
 */
const maxUnreadEvents = 1_000

interface PendingCall {
  take(reply: SessionReply): void
  /** Reports that the peer has disconnected. */
  lose(): void
}

interface SessionWire {
  socket: Duplex
  pending: Map<number, PendingCall>
  next: number
}

/**
 * Returns a client of the session that listens at the socket `path`. Rejects with the system's error if no
 * process listens, and with FailureError if the peer ends the connection at once or is not a session.
 */
export async function connectSession(path: string): Promise<SessionClient> {
  const socket = connect(path)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => undefined)
  const messages = readMessages(socket)
  const first = (await messages.next()).value as SessionGreeting | undefined
  if (typeof first?.thread !== 'string') {
    socket.destroy()
    throw new FailureError({ code: 'io', message: 'the run has ended before it could be asked' })
  }
  const wire: SessionWire = { socket, pending: new Map(), next: 1 }
  void receiveReplies(wire, messages)
  return {
    thread: first.thread,
    openedAt: first.openedAt,
    isElsewhere: true,
    readEvents: (after, signal) => readStream<SessionEvent>(wire, { call: 'events', after }, signal),
    readHistory: (before, limit) => sendRequest<SessionEvent[]>(wire, { call: 'history', before, limit }),
    readTopic: (topic, after, signal) => readRemoteTopic(wire, topic, after, signal),
    readBlob: (hash, offset, limit) => sendRequest<string>(wire, { call: 'blob', hash, offset, limit }),
    findMentions: (query, limit, signal) =>
      sendRequest<MentionChoice[]>(wire, { call: 'mentions', query, limit }, signal),
    sendCommand: (command) =>
      sendRequest<CommandReply>(wire, { call: 'command', command }).catch((error: unknown) => {
        if (error instanceof FailureError && error.failure.code === 'interrupted')
          return { ok: false, code: 'closed', message: error.failure.message } as const
        throw error
      }),
    async detach() {
      socket.destroy()
    },
  }
}

async function receiveReplies(
  { socket, pending }: SessionWire,
  messages: AsyncIterable<unknown>,
): Promise<void> {
  try {
    for await (const message of messages) {
      const reply = message as SessionReply
      pending.get(reply.id)?.take(reply)
    }
  } catch {
    // an unreadable message ends the connection
  } finally {
    socket.destroy()
    for (const one of pending.values()) one.lose()
    pending.clear()
  }
}

const createEndFailure = () => new FailureError({ code: 'interrupted', message: 'the run has ended' })

const failureOf = ({ code, message, hint }: { code: string; message: string; hint?: string }) =>
  new FailureError({ code: code as FailureCode, message, hint })

function sendRequest<T>(wire: SessionWire, call: object, signal?: AbortSignal): Promise<T> {
  const id = wire.next++
  return new Promise<T>((resolve, reject) => {
    if (wire.socket.destroyed) return reject(createEndFailure())
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => void sendMessage(wire.socket, { id, call: 'cancel' })
    signal?.addEventListener('abort', stop, { once: true })
    const end = () => {
      signal?.removeEventListener('abort', stop)
      wire.pending.delete(id)
    }
    wire.pending.set(id, {
      take(reply) {
        end()
        if ('error' in reply) reject(failureOf(reply.error))
        else if ('value' in reply) resolve(reply.value as T)
      },
      lose() {
        end()
        reject(createEndFailure())
      },
    })
    void sendMessage(wire.socket, { id, ...call })
  })
}

/**
 * Yields the events of a topic, such as a subagent. A reader that is too slow gets no error: it
 * continues after the last stored event that it has read. Of boards, which are complete states, it gets
 * only the latest one.
 */
async function* readRemoteTopic(
  wire: SessionWire,
  topic: SessionTopic,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<TopicEvent, void> {
  for (let from = after; ; ) {
    try {
      const events = readStream<TopicEvent>(wire, { call: 'topic', topic, after: from }, signal)
      for await (const event of events) {
        if ('pos' in event) from = event.pos ?? from
        yield event
      }
      return
    } catch (error) {
      if (!(error instanceof FailureError && error.failure.code === 'lagged')) throw error
    }
  }
}

const isBoard = (event: TopicEvent | undefined) =>
  event?.type === 'study.board' || event?.type === 'experiment.board'

/**
 * Yields events until the session ends them, the connection closes or `signal` aborts. Throws FailureError
 * `lagged` if more than 1,000 events are unread, and the error with which the session replies.
 */
async function* readStream<T extends TopicEvent>(
  wire: SessionWire,
  call: object,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  if (signal.aborted || wire.socket.destroyed) return
  const id = wire.next++
  const events: T[] = []
  let streamEnd: { error?: FailureError } | undefined
  let wake: () => void = () => undefined
  const end = (error?: FailureError) => {
    streamEnd ??= error ? { error } : {}
    wake()
  }
  const takeEvent = (event: T) => {
    // No event is added after the end, because events before it may be missing.
    if (streamEnd) return
    // A board is a complete state, so it replaces a previous board that is not read yet.
    if (isBoard(event) && isBoard(events.at(-1))) events.pop()
    if (events.length >= maxUnreadEvents) end(createLagFailure())
    else events.push(event)
  }
  wire.pending.set(id, {
    take(reply) {
      if ('error' in reply) end(failureOf(reply.error))
      else if ('value' in reply) end()
      else takeEvent(reply.event as T)
      wake()
    },
    lose: () => end(),
  })
  const leave = () => end()
  signal.addEventListener('abort', leave, { once: true })
  await sendMessage(wire.socket, { id, ...call })
  try {
    for (;;) {
      const event = events.shift()
      if (event) yield event
      else if (streamEnd) break
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (signal.aborted) return
    }
    if (streamEnd.error) throw streamEnd.error
  } finally {
    signal.removeEventListener('abort', leave)
    if (wire.pending.delete(id)) void sendMessage(wire.socket, { id, call: 'cancel' })
  }
}

const createLagFailure = () =>
  new FailureError({
    code: 'lagged',
    message: 'more has happened than was read',
    hint: 'Read again from your last position.',
  })
