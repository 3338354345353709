// The journal in a real Redis server does what every journal has to; then what is its own: restarts, expiry,
// broken lines.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createUlid } from '../../../../internal/base/ids.ts'
import { StandstillError } from '../../../../internal/store/journal/journal-errors.ts'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { prefixOf, type RedisJournal, redisJournal } from '../../../../internal/study/redis/journal.ts'
import { openRedisServer } from '../../../../internal/study/redis/server.ts'
import { journalContract, line } from '../../../support/journal-contract.ts'
import { durable, startRedis, withRedis } from '../../../support/redis.ts'
import { scratch } from '../../../support/scratch.ts'

async function open(url: string, patienceMs?: number): Promise<RedisJournal> {
  const patience = patienceMs === undefined ? {} : { patienceMs }
  return redisJournal(await openRedisServer(url, patience), patience)
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
    // a write sets no expiry again, because no key is new
    const calls = async () => {
      const stats = await client.info('commandstats')
      const count = (name: string) => Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0)
      return [count('pttl'), count('pexpire')]
    }
    await journal.append(study, [line('b')], fence)
    const [asked = 0, set = 0] = await calls()
    for (let i = 0; i < 5; i++) await journal.append(study, [line('c')], fence)
    expect(await calls()).toEqual([asked + 5, set])
    await journal.close()
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
