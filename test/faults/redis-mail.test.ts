// Many processes on the mailboxes of one server: each message once and in order; killed readers and a killed server lose none.

import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUlid } from '../../internal/base/ids.ts'
import { redisJournal } from '../../internal/study/redis/journal.ts'
import { openRedisServer } from '../../internal/study/redis/server.ts'
import { durable, startRedis, withRedis } from '../support/redis.ts'
import { type Child, type Ground, long, prepare, random, report, rounds, seed, sleep } from './store/start.ts'

let ground: Ground
beforeAll(async () => {
  ground = await prepare(join(import.meta.dirname, 'redis', 'child.ts'))
})
afterAll(() => ground.clear())

const readOf = (readers: readonly Child[]) =>
  readers
    .flatMap((reader) => reader.lines())
    .filter(([word]) => word === 'read')
    .map(([, time = '0', sender = '', n, id = '']) => ({ time: BigInt(time), sender, n: Number(n), id }))
    .sort((x, y) => (x.time < y.time ? -1 : 1))

withRedis('mail through redis', (at) => {
  test('four senders and four readers: each message once, each sender in order', async () => {
    const study = createUlid()
    const each = long() ? 2_500 : 250
    const senders = ['a', 'b', 'c', 'd']
    const readers = senders.map((name) => ground.start(at().url, 'read', study, `reader-${name}`, 'box'))
    const ends = senders.map((name) => ground.start(at().url, 'send', study, name, 'box', `${each}`).ended)
    expect(await Promise.all(ends)).toEqual([0, 0, 0, 0])
    const journal = redisJournal(await openRedisServer(at().url))
    const scope = `study:${study}`
    await journal.mail.send({ scope, from: 'test', to: 'box-stop', type: 'status', body: 'stop' })
    await journal.close()
    expect(await Promise.all(readers.map((reader) => reader.ended))).toEqual([0, 0, 0, 0])
    const read = readOf(readers)
    for (const name of senders) {
      const numbers = read.filter((one) => one.sender === name).map((one) => one.n)
      expect(numbers).toEqual(Array.from({ length: each }, (_, i) => i + 1))
    }
    report(`${4 * each} messages through 8 processes and redis`, read.length, 4 * each)
  }, 900_000)

  test('readers are killed and the server is killed: every message is read in the end', async () => {
    const redis = await startRedis(durable)
    const study = createUlid()
    const scope = `study:${study}`
    const next = random()
    const count = long() ? 1_000 : 150
    const start = () => ground.start(redis.url, 'read', study, 'reader', 'box', '400')
    const readers = [start()]
    const senders = ['a', 'b'].map((name) => ground.start(redis.url, 'send', study, name, 'box', `${count}`))
    // a server that is not available when a sender starts is a different case, which fails at once
    for (const sender of senders) while (sender.lines().length === 0) await sleep(5)
    for (let round = 0; round < rounds(4); round++) {
      await sleep(50 + next() * 200)
      await readers.at(-1)?.kill()
      if (round % 2 === 1) {
        await redis.kill()
        await redis.start()
      }
      readers.push(start())
    }
    expect(await Promise.all(senders.map((sender) => sender.ended))).toEqual([0, 0])
    const journal = redisJournal(await openRedisServer(redis.url))
    const open = async () => {
      const { queued, leased } = await journal.mail.waiting(scope, 'box')
      return queued + leased
    }
    for (const end = Date.now() + 30_000; (await open()) > 0 && Date.now() < end; ) await sleep(50)
    await journal.mail.send({ scope, from: 'test', to: 'box-stop', type: 'status', body: 'stop' })
    expect(await readers.at(-1)?.ended).toBe(0)
    const kept = await journal.mail.list({ scope, recipient: 'box' })
    await journal.close()
    await redis.remove()
    const acked = kept.filter(({ state }) => state === 'acked').length
    const read = new Set(readOf(readers).map(({ id }) => id))
    const sent = senders.flatMap((sender) => sender.lines()).filter(([word]) => word === 'sent')
    const survived = sent.filter(([, , , id = '']) => read.has(id)).length
    report('messages past killed readers and a killed redis', survived, 2 * count)
    expect([survived, acked, kept.length], `seed ${seed}`).toEqual([2 * count, 2 * count, 2 * count])
  }, 900_000)
})
