// The journal in a real Redis server does what every journal has to; then what is its own: restarts, expiry,
// broken lines.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createUlid } from '../../../../internal/base/ids.ts'
import type { Fence } from '../../../../internal/store/journal/journal.ts'
import { StandstillError } from '../../../../internal/store/journal/journal-errors.ts'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { prefixOf, type RedisJournal, redisJournal } from '../../../../internal/study/redis/journal.ts'
import { openRedisServer } from '../../../../internal/study/redis/server.ts'
import { journalContract, line } from '../../../support/journal-contract.ts'
import { durable, startRedis, withRedis } from '../../../support/redis.ts'
import { rng } from '../../../support/rng.ts'
import { scratch } from '../../../support/scratch.ts'

async function open(url: string, patienceMs?: number): Promise<RedisJournal> {
  const patience = patienceMs === undefined ? {} : { patienceMs }
  return redisJournal(await openRedisServer(url, patience), patience)
}

const callsOf = async ({ server }: RedisJournal, names: RegExp): Promise<number> => {
  const stats = await server.client.info('commandstats')
  const calls = [...stats.matchAll(/cmdstat_(\S+?):calls=(\d+)/g)]
  return calls.reduce((sum, [, name = '', count]) => sum + (names.test(name) ? Number(count) : 0), 0)
}

/** Returns a function that returns how many scripts have run since. */
async function countScripts(journal: RedisJournal): Promise<() => Promise<number>> {
  const before = await callsOf(journal, /^eval/)
  return async () => (await callsOf(journal, /^eval/)) - before
}

/** Returns a function that returns how many commands have run since, without those of the watch for silence. */
async function countCommands(journal: RedisJournal): Promise<() => Promise<number>> {
  const ours = /^(?!ping|info)/
  const before = await callsOf(journal, ours)
  return async () => (await callsOf(journal, ours)) - before
}

/** Returns the keys of a study that have no expiry. */
async function endlessKeys({ server: { client } }: RedisJournal, study: string): Promise<string[]> {
  const keys = await client.keys(`${prefixOf(study)}*`)
  const lives = await Promise.all(keys.map((key) => client.pttl(key)))
  return keys.filter((_, i) => lives[i] === -1)
}

/** Writes to a study in a random order, and expects an expiry for each key after each write. */
async function fillAndEmpty(journal: RedisJournal, seed: number): Promise<void> {
  const random = rng(seed)
  const study = createUlid()
  const scope = `study:${study}`
  const fence = { task: 't1', owner: 'w', epoch: 1 }
  const held: string[] = []
  const used = { tokens: 1, usd: 0 }
  let lines = 0
  const writes: (() => Promise<unknown>)[] = [
    () => journal.mail.send({ scope, from: 's', to: 'r', type: 'status', body: 'x' }),
    () => journal.mail.send({ scope, from: 's', to: 'broadcast', type: 'status', body: 'x', expiresMs: 1 }),
    async () => {
      const query = { scope, recipient: 'r', owner: 'o', limit: 9, peek: false }
      const taken = await journal.mail.receive(query)
      await journal.mail.acknowledge(
        scope,
        'r',
        taken.map(({ id }) => id),
      )
    },
    () => journal.mail.leave(scope, 'r'),
    () => journal.mail.join(scope, 'r'),
    async () => {
      const reserved = await journal.reserve(study, fence, used, 1, {})
      if (reserved.state === 'ok') held.push(reserved.id)
    },
    async () => {
      const reservation = held.pop()
      const settled = reservation === undefined ? undefined : { reservation, used }
      await journal.append(study, [line('a', {}, `k${lines++}`)], fence, settled)
    },
  ]
  await journal.mail.send({ scope, from: 's', to: 'r', type: 'status', body: 'before the study' })
  expect(await endlessKeys(journal, study)).toEqual([])
  await journal.create(study, line('study'), {})
  await journal.claim({ study, task: 't1', epoch: 0 }, 'w', 60_000)
  for (let step = 0; step < 40; step++) {
    await writes[Math.floor(random() * writes.length)]?.()
    expect(await endlessKeys(journal, study), `seed ${seed}, step ${step}`).toEqual([])
  }
}

withRedis('redis', (at) => {
  journalContract('the journal', async () => ({
    open: () => open(at().url),
    pass: (ms) => sleep(ms),
    remove: async () => undefined,
  }))

  test('every key of a study ends by itself, a week after the last write', async () => {
    const journal = await open(at().url)
    const study = createUlid()
    await journal.create(study, line('study'), { tokens: 10 })
    const claimed = await journal.claim({ study, task: 't1', epoch: 0 }, 'w', 1000)
    const fence = { task: 't1', owner: 'w', epoch: claimed.state === 'ok' ? claimed.epoch : 0 }
    await journal.append(study, [line('a', {}, 'k')], fence)
    await journal.reserve(study, fence, { tokens: 1, usd: 0 }, 1, {})
    await journal.blob(study, Buffer.from('x'))
    const scope = `study:${study}`
    await journal.mail.join(scope, 'r')
    await journal.mail.send({ scope, from: 's', to: 'r', type: 'status', body: 'x', dedupeKey: 'd' })
    await journal.mail.receive({ scope, recipient: 'r', owner: 'o', limit: 1, peek: false })
    await journal.mail.send({ scope, from: 's', to: 'broadcast', type: 'status', body: 'y' })
    await journal.mail.acknowledge(scope, 'r', [])
    await journal.mail.leave(scope, 'r')
    const { client } = journal.server
    const keys = await client.keys(`${prefixOf(study)}*`)
    expect(keys.length).toBeGreaterThan(15)
    const lives = await Promise.all(keys.map((key) => client.pttl(key)))
    expect(keys.filter((_, i) => (lives[i] ?? -1) < 0 || (lives[i] ?? 0) > 7 * 86_400_000)).toEqual([])
    const log = await client.pttl(`${prefixOf(study)}log`)
    expect(log).toBeGreaterThan(6.9 * 86_400_000)
    // a write of the same hour asks one key for the time of the expiry, and sets none again
    const questions = await callsOf(journal, /^(?:exists|hget|pexpire)$/)
    await journal.append(study, [line('b')], fence)
    // whether the study exists, which server began it, who holds the task, and when its keys expire
    expect((await callsOf(journal, /^(?:exists|hget|pexpire)$/)) - questions).toBe(4)
    await journal.close()
  })

  test('no key is without an expiry, in any order of writes that fill and empty it', async () => {
    const journal = await open(at().url)
    for (let seed = 1; seed <= 8; seed++) await fillAndEmpty(journal, seed)
    await journal.close()
  })

  test('a key that a reading script makes ends by itself too', async () => {
    const journal = await open(at().url)
    const study = createUlid()
    const scope = `study:${study}`
    await journal.create(study, line('study'), {})
    await journal.mail.send({ scope, from: 's', to: 'r', type: 'status', body: 'x', expiresMs: 1 })
    // once the message is over, a look moves it among the finished ones
    await vi.waitFor(async () => {
      await journal.mail.waiting(scope, 'r')
      expect(await journal.server.client.pttl(`${prefixOf(study)}mail:done`)).toBeGreaterThan(0)
    })
    await journal.close()
  })

  test('heartbeats of one turn are one script, and each has its own result', async () => {
    const journal = await open(at().url)
    const study = createUlid()
    await journal.create(study, line('study'), {})
    const fences = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const claimed = await journal.claim({ study, task: `t${n}`, epoch: 0 }, 'w', 1000)
        return { task: `t${n}`, owner: 'w', epoch: claimed.state === 'ok' ? claimed.epoch : 0 }
      }),
    )
    await journal.release(study, 't7', 'w', false)
    const scripts = await countScripts(journal)
    const held = await Promise.all(fences.map((fence) => journal.heartbeat(study, fence, 90_000)))
    expect(await scripts()).toBe(1)
    expect(held.flatMap((isHeld, n) => (isHeld ? [] : [n]))).toEqual([7])
    const leases = await journal.leases(study)
    expect(leases.filter(({ untilMs }) => untilMs > Date.now() + 80_000)).toHaveLength(19)
    await expect(journal.heartbeat(createUlid(), fences[0] as Fence, 1000)).rejects.toThrow('study')
    await journal.close()
  })

  test('a wait asks the server nothing while no line comes, and ends for the next line', async () => {
    const [journal, other] = [await open(at().url), await open(at().url)]
    const study = createUlid()
    await journal.create(study, line('study'), {})
    const never = new AbortController().signal
    await journal.wait(study, 1, 20, never)
    const asked = await countCommands(journal)
    for (let i = 0; i < 20; i++) await journal.wait(study, 1, 20, never)
    expect(await asked()).toBe(0)
    const waiting = journal.wait(study, 1, 60_000, never)
    await other.append(study, [line('a')])
    await waiting
    // a connection that was lost and is back may have missed lines
    const pubsub = String(await journal.server.client.call('CLIENT', 'LIST', 'TYPE', 'pubsub'))
    const late = journal.wait(study, 2, 60_000, never)
    for (const [, id = ''] of pubsub.matchAll(/^id=(\d+)/gm))
      await other.server.client.call('CLIENT', 'KILL', 'ID', id)
    await other.append(study, [line('b')])
    await late
    expect((await journal.read(study, 2, 10)).map(({ kind }) => kind)).toEqual(['b'])
    await journal.close()
    await other.close()
  })

  test('a wait for lines that the server has lost asks again instead of ending at once', async () => {
    const [journal, other] = [await open(at().url), await open(at().url)]
    const study = createUlid()
    await journal.create(study, line('study'), {})
    const never = new AbortController().signal
    await journal.wait(study, 1, 20, never)
    await other.append(study, [line('a')])
    await journal.wait(study, 1, 60_000, never)
    await journal.server.client.del(`${prefixOf(study)}log`)
    expect(await journal.read(study, 1, 10)).toEqual([])
    const asked = await countCommands(journal)
    await journal.wait(study, 1, 200, never)
    expect(await asked()).toBe(1)
    await journal.close()
    await other.close()
  })
})

withRedis('redis that goes away', () => {
  test(
    'a restart: calls wait, and nothing is written until the log was compared with its ' + 'mirror',
    async () => {
      const redis = await startRedis(durable)
      const journal = await open(redis.url, 20_000)
      const mirror = await openJournal(scratch())
      const study = createUlid()
      await journal.create(study, line('study'), {})
      await journal.append(study, [line('a', { n: 1 }, 'k')])
      await mirror.mirror(study, await journal.read(study, 0, 10))
      await redis.kill()
      const late = journal.append(study, [line('b')])
      await redis.start()
      await sleep(500)
      expect((await journal.read(study, 0, 10)).length).toBe(2)
      expect(await journal.restore(study, mirror, {})).toBe(0)
      expect(await late).toEqual({ state: 'ok', last: 3 })
      await journal.close()
      await mirror.close()
      await redis.remove()
    },
  )

  test('what the server has lost comes back from the mirror', async () => {
    const redis = await startRedis(durable)
    const journal = await open(redis.url)
    const mirror = await openJournal(scratch())
    const study = createUlid()
    await journal.create(study, line('study', { project: '/p' }), {})
    await journal.append(
      study,
      Array.from({ length: 450 }, (_, n) => line('a', { n }, `k${n}`)),
    )
    const all = await journal.read(study, 0, 1000)
    await mirror.mirror(study, all)
    await journal.server.client.flushall()
    expect(await journal.restore(study, mirror, { limits: { tokens: 5 } })).toBe(451)
    expect(await journal.read(study, 0, 1000)).toEqual(all)
    expect(await journal.restore(study, mirror, { limits: { tokens: 5 } })).toBe(0)
    expect(await journal.append(study, [line('a', {}, 'k7')])).toEqual({ state: 'duplicate', key: 'k7' })
    expect(await journal.append(study, [line('a', {}, 'k450')])).toEqual({ state: 'ok', last: 452 })
    await journal.close()
    await mirror.close()
    await redis.remove()
  })

  test(
    'who takes tasks does not wait for a study that the server has lost or has not ' + 'compared yet',
    async () => {
      for (const lost of ['all', 'the end']) {
        const redis = await startRedis(durable)
        const stop = new AbortController()
        const server = await openRedisServer(redis.url)
        const journal = redisJournal(server, { claimPatienceMs: 0, signal: stop.signal })
        const study = createUlid()
        await journal.create(study, line('study'), {})
        await redis.kill()
        if (lost === 'all') await redis.forget()
        await redis.start()
        const began = performance.now()
        await expect(journal.claim({ study, task: 't1', epoch: 0 }, 'a', 1_000)).rejects.toBeInstanceOf(
          StandstillError,
        )
        await expect(journal.leases(study)).rejects.toBeInstanceOf(StandstillError)
        const other = createUlid()
        await journal.create(other, line('study'), {})
        expect(await journal.claim({ study: other, task: 't1', epoch: 0 }, 'a', 1_000)).toMatchObject({
          state: 'ok',
        })
        const late = journal.append(study, [line('b')])
        setTimeout(() => stop.abort(), 200)
        await expect(late).rejects.toBeInstanceOf(StandstillError)
        expect(performance.now() - began).toBeLessThan(15_000)
        await journal.close()
        await redis.remove()
      }
    },
  )

  test('patience ends', async () => {
    const redis = await startRedis(durable)
    const journal = await open(redis.url, 300)
    const study = createUlid()
    await journal.create(study, line('study'), {})
    await redis.kill()
    await expect(journal.append(study, [line('b')])).rejects.toMatchObject({ failure: { code: 'io' } })
    await journal.close()
    await redis.remove()
  })

  test('a request that is sent again because the connection broke is done once', async () => {
    const redis = await startRedis(durable)
    const journal = await open(redis.url)
    const study = createUlid()
    await journal.create(study, line('study'), {})
    const { client } = journal.server
    const breaker = (await openRedisServer(redis.url)).client
    for (let round = 0; round < 20; round++) {
      const id = await client.client('ID')
      const writes = Array.from({ length: 20 }, (_, n) => journal.append(study, [line('a', { round, n })]))
      await breaker.client('KILL', 'ID', id)
      await Promise.all(writes)
    }
    expect(await journal.read(study, 1, 1000)).toHaveLength(400)
    breaker.disconnect()
    await journal.close()
    await redis.remove()
  })
})
