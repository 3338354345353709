// A session over a socket that disconnects or sends nonsense. The contract itself is
// tested in session/client.
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { connectSession } from '../../../../internal/server/wire/remote-session.ts'
import { serveSession } from '../../../../internal/server/wire/session-listener.ts'
import type { SessionClient, SessionEvent } from '../../../../internal/session/client.ts'
import { scratch } from '../../../support/scratch.ts'
import { sessionWorld, watchClient } from '../../../support/session.ts'

/** Opens a session over a socket. */
async function served(replies: readonly object[] = [{ text: 'Here.' }]) {
  const at = await sessionWorld(replies)
  const local = await at.open()
  const path = join(scratch(), 'run.sock')
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const client = at.service.attach(local.client.thread)
    if (client) void serveSession(client, socket)
  }).listen(path)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { ...at, local, path, sockets, watch: async () => watchClient(await connectSession(path)) }
}

const stored = (events: readonly SessionEvent[]) => events.filter((event) => 'pos' in event && event.pos)

it('resumes after a position when the connection was lost, and rejects commands on a lost connection', async () => {
  const { local, watch, sockets } = await served([{ text: 'first' }, { text: 'second' }])
  const one = await watch()
  await one.say('one')
  await one.idle()
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await one.say('lost')).ok).toBe(false)
  await local.say('two')
  await local.until(({ blocks }) => blocks.filter(({ kind }) => kind === 'end').length === 2, 'two ends')
  const known = stored(one.events)
  const last = known.at(-1)
  const rest = await watchFrom(await (await watch()).client, last && 'pos' in last ? (last.pos ?? 0) : 0)
  expect([...known, ...stored(rest)]).toEqual(stored(local.events))
})

it('ends topics with the connection, and reports for the rest that the run is gone', async () => {
  const { watch, sockets } = await served()
  const one = await watch()
  const gone = { failure: { code: 'interrupted' } }
  const read = async () => {
    const events = one.client.readTopic({ kind: 'study', since: 0 }, 0, new AbortController().signal)
    for await (const _ of events) throw new Error('there is no study')
    return 'over'
  }
  const following = read()
  await one.say('one')
  await one.idle()
  for (const socket of sockets) socket.destroy()
  expect(await following).toBe('over')
  await expect(one.client.readBlob('0'.repeat(64), 0, 10)).rejects.toMatchObject(gone)
  expect(await read()).toBe('over')
})

/** Returns the stored events after a position. */
async function watchFrom(client: SessionClient, after: number): Promise<SessionEvent[]> {
  const events: SessionEvent[] = []
  for await (const event of client.readEvents(after, new AbortController().signal)) {
    if (event.type === 'session.snapshot') return events
    events.push(event)
  }
  return events
}

it('rejects unknown commands, and closes a connection with another protocol', async () => {
  const { path, watch } = await served()
  const one = await watch()
  expect(await one.send({ type: 'format_disk' } as never)).toMatchObject({ ok: false, code: 'bad_args' })
  for (const line of [
    'GET / HTTP/1.1\n',
    '{"id":1,"call":"eval"}\n',
    '{"id":1,"call":"topic","topic":{"kind":"files"},"after":0}\n',
    '[]\n',
    '7\n',
  ]) {
    const socket = connect(path)
    socket.write(line)
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
  }
  expect(await one.send({ type: 'rename', title: 'Still here' })).toMatchObject({ ok: true })
})
