// A client of a session in this process: reads its events and sends commands, each executed once.
import { once } from '../../base/once.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { CommandReply, SessionClient, SessionEvent } from '../../session/client.ts'
import { sessionCommandSchema } from '../../session/commands.ts'
import { takeSnapshot } from '../../session/view/session-view.ts'
import type { Store } from '../../store/store.ts'
import { readBlobText } from '../threads/blob-text.ts'
import { handOverSession, type RunPlaces } from './handover/hand-over.ts'
import { doCommand } from './session-commands.ts'
import type { SessionParts } from './session-parts.ts'
import { readSessionTopic } from './topic/session-topics.ts'

interface ClientParts {
  runs?: RunPlaces | undefined
  addDirs: readonly string[]
  store: () => Promise<Store>
  run: RunCommand
}

/**
 * Replies to the latest `maxKnownCommands` commands, by the ID of the command. A client may send a command
 * again if the connection was lost before the reply, also over a new connection.
 */
export type KnownCommands = Map<string, Promise<CommandReply>>
const maxKnownCommands = 1_000

/** Creates a client. Calls `leave` when the client detaches. */
export function createClient(
  session: SessionParts,
  { store, run, runs, addDirs }: ClientParts,
  knownCommands: KnownCommands,
  leave: () => Promise<void>,
): SessionClient {
  const detachController = new AbortController()
  const { feed, thread } = session
  const { id } = thread
  const mentions = once(async () => (await import('./mentions/file-mentions.ts')).openMentions(session, run))
  return {
    thread: id,
    openedAt: feed.view.pos,
    readEvents: (after, signal) =>
      readSessionEvents(session, store, after, AbortSignal.any([signal, detachController.signal])),
    async readHistory(before, limit) {
      if (!thread.isStored) return []
      const count = Math.min(limit, 500)
      const from = Math.max(0, before - 1 - count)
      return (await store()).threads.events(id, from, count).filter(({ pos }) => pos < before)
    },
    async *readTopic(topic, after, signal) {
      const isRunning = (child: string) => feed.view.children.some((one) => one.thread === child)
      const place = { thread: id, context: session.context, store, isRunning }
      yield* readSessionTopic(place, topic, after, AbortSignal.any([signal, detachController.signal]))
    },
    async readBlob(hash, offset, limit) {
      return readBlobText(await store(), id, hash, { offset, limit }).text
    },
    findMentions: async (...args) => (await mentions())(...args),
    sendCommand({ id: name, ...command }) {
      const before = knownCommands.get(name)
      if (before) return before
      const checked = sessionCommandSchema.safeParse(command)
      const reply = checked.success ? doCommand(session, checked.data) : Promise.resolve(badCommand)
      knownCommands.set(name, reply)
      const [oldest] = knownCommands.keys()
      if (knownCommands.size > maxKnownCommands && oldest !== undefined) knownCommands.delete(oldest)
      return reply
    },
    handOver: runs ? async (wait) => handOverSession(session, { runs, addDirs }, wait) : undefined,
    async detach() {
      detachController.abort()
      await leave()
    },
  }
}

const badCommand: CommandReply = { ok: false, code: 'bad_args', message: 'unknown session command' }

/**
 * Yields the stored events after `after`, then a snapshot, then live events. Live events are collected from
 * the beginning, so each event comes exactly once.
 */
async function* readSessionEvents(
  session: SessionParts,
  store: () => Promise<Store>,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<SessionEvent, void> {
  const { feed, thread } = session
  const live = feed.subscribe(signal).read()
  const { view } = feed
  try {
    for (let from = after; from < view.pos && !signal.aborted; ) {
      const page = (await store()).threads.events(thread.id, from, 500)
      for (const event of page) if (event.pos <= view.pos) yield event
      from = page.at(-1)?.pos ?? view.pos
    }
    yield { type: 'session.snapshot', payload: takeSnapshot(view) }
    session.openAhead()
    yield* live
  } finally {
    await live.return()
  }
}
