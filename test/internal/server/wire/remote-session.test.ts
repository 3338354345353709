// A session over a socket: the contract holds as it does in one process.
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createUlid } from '../../../../internal/base/ids.ts'
import { connectSession } from '../../../../internal/server/wire/remote-session.ts'
import { serveSession } from '../../../../internal/server/wire/session-listener.ts'
import type { SessionClient, SessionEvent } from '../../../../internal/session/client.ts'
import type { PermissionAnswer } from '../../../../internal/session/commands.ts'
import { scratch } from '../../../support/scratch.ts'
import { sessionWorld, watchClient } from '../../../support/session.ts'

/** A session that asks before it writes, behind a socket. */
async function served(replies: readonly object[] = writes) {
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

const writes = [
  { calls: [{ name: 'create_file', args: { path: 'made.txt', content: 'x\n' } }] },
  { text: 'It is made.' },
]
const stored = (events: readonly SessionEvent[]) => events.filter((event) => 'pos' in event && event.pos)

it('says, asks and answers, and every client sees the same events once', async () => {
  const { local, watch } = await served()
  const [one, two] = [await watch(), await watch()]
  expect(one.client.thread).toBe(local.client.thread)
  expect(await one.say('Make a file')).toMatchObject({ ok: true })
  const { waits } = await two.until(({ waits }) => waits.length > 0, 'a question')
  const call = waits[0]?.call ?? ''
  const answer: PermissionAnswer = { allow: true, scope: 'once', rules: [] }
  const id = createUlid()
  const replies = await Promise.all([
    two.send({ type: 'answer_permission', call, answer }, id),
    // sent twice it is done once, over another connection too
    (await watch()).send({ type: 'answer_permission', call, answer }, id),
    one.send({ type: 'answer_permission', call, answer: { allow: false } }),
  ])
  expect(replies.map((reply) => (reply.ok ? 'ok' : reply.code))).toEqual(['ok', 'ok', 'already_answered'])
  await Promise.all([one.idle(), two.idle(), local.idle()])
  expect(stored(one.events)).toEqual(stored(local.events))
  expect(stored(two.events)).toEqual(stored(local.events))
  const late = await watch()
  await late.idle()
  expect(stored(late.events)).toEqual(stored(local.events))
  const history = await late.client.readHistory(3, 500)
  expect(history).toEqual(stored(local.events).slice(0, 2))
  const mentions = await late.client.findMentions('a.ts', 5, new AbortController().signal)
  expect(mentions).toMatchObject([{ path: 'src/a.ts' }])
})

it('resumes after a position when the connection broke, and says no to commands on a broken one', async () => {
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

/** What is stored behind a position. */
async function watchFrom(client: SessionClient, after: number): Promise<SessionEvent[]> {
  const events: SessionEvent[] = []
  for await (const event of client.readEvents(after, new AbortController().signal)) {
    if (event.type === 'session.snapshot') return events
    events.push(event)
  }
  return events
}

it('refuses commands that no session has, and ends a connection that speaks something else', async () => {
  const { path, watch } = await served()
  const one = await watch()
  expect(await one.send({ type: 'format_disk' } as never)).toMatchObject({ ok: false, code: 'bad_args' })
  for (const line of ['GET / HTTP/1.1\n', '{"id":1,"call":"eval"}\n', '[]\n', '7\n']) {
    const socket = connect(path)
    socket.write(line)
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
  }
  expect(await one.send({ type: 'rename', title: 'Still here' })).toMatchObject({ ok: true })
})
