// Many processes on one store at once: everything is stored, nothing twice, order and fields intact.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../../internal/store/sqlite.ts'
import { crowd, type Ground, long, prepare, report } from './store/start.ts'

let ground: Ground
beforeAll(async () => {
  ground = await prepare()
})
afterAll(() => ground.clear())

test('many processes create the store at once, and each sends one message to the same mailbox', async () => {
  const tried = long() ? 1_000 : 20
  const dir = ground.fresh()
  const names = Array.from({ length: tried }, (_, i) => `p${i}`)
  const said = new Map<string, string>()
  await crowd(names, long() ? 40 : 10, async (name) => {
    const child = ground.start(dir, 'send', name, 'box', '1')
    expect(await child.ended, child.lines().join('\n')).toBe(0)
    const sent = child.lines().find(([word]) => word === 'sent')
    said.set(sent?.[3] ?? '', name)
  })
  const store = await openStore(dir)
  const kept = store.mail.list({ scope: 'faults' }).map(({ message }) => message)
  store.close()
  expect(kept.map((message) => message.from).sort()).toEqual([...names].sort())
  for (const { id, from } of kept) expect(said.get(id)).toBe(from)
  report(`${tried} processes send to one mailbox`, kept.length, tried)
}, 900_000)

test('four senders and four readers: each message once, each sender in order', async () => {
  const dir = ground.fresh()
  const each = long() ? 2_500 : 100
  const senders = ['a', 'b', 'c', 'd']
  const readers = senders.map((name) => ground.start(dir, 'read', `reader-${name}`, 'box'))
  const ends = await Promise.all(
    senders.map((name) => ground.start(dir, 'send', name, 'box', `${each}`).ended),
  )
  expect(ends).toEqual([0, 0, 0, 0])
  const store = await openStore(dir)
  store.mail.send({ scope: 'faults', from: 'test', to: 'box-stop', type: 'status', body: 'stop' })
  store.close()
  expect(await Promise.all(readers.map((reader) => reader.ended))).toEqual([0, 0, 0, 0])

  const read = readers
    .flatMap((reader) => reader.lines())
    .filter(([word]) => word === 'read')
    .map(([, time = '0', sender = '', n]) => ({ time: BigInt(time), sender, n: Number(n) }))
    .sort((x, y) => (x.time < y.time ? -1 : 1))
  for (const name of senders) {
    const numbers = read.filter((one) => one.sender === name).map((one) => one.n)
    expect(numbers).toEqual(Array.from({ length: each }, (_, i) => i + 1))
  }
  report(`${4 * each} messages through 8 processes`, read.length, 4 * each)
}, 900_000)

test('processes that change different fields of one task do not undo each other', async () => {
  const dir = ground.fresh()
  const count = long() ? 1_000 : 60
  const store = await openStore(dir)
  const { id } = store.tasks.create({ repo: 'r', title: 'title 0' })
  const fields = ['title', 'description', 'repo']
  const ends = await Promise.all(
    fields.map((field) => ground.start(dir, 'touch', id, field, `${count}`).ended),
  )
  expect(ends).toEqual([0, 0, 0])
  const task = store.tasks.get(id)
  store.close()
  expect(task).toMatchObject({
    title: `title ${count}`,
    description: `description ${count}`,
    repo: `repo ${count}`,
  })
  report(`${3 * count} updates of one task by 3 processes`, 3 * count, 3 * count)
}, 900_000)
