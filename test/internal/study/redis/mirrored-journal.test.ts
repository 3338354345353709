// The copy of a server's log: complete, as it was, and enough to give the server back what it lost.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createUlid } from '../../../../internal/base/ids.ts'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { redisJournal } from '../../../../internal/study/redis/journal.ts'
import { type MirroredJournal, mirrorJournal } from '../../../../internal/study/redis/mirrored-journal.ts'
import { openRedisServer } from '../../../../internal/study/redis/server.ts'
import { line } from '../../../support/journal-contract.ts'
import { durable, startRedis, withRedis } from '../../../support/redis.ts'
import { scratch } from '../../../support/scratch.ts'

async function open(
  url: string,
  dir: string,
  told: (lines: number) => void = () => undefined,
): Promise<MirroredJournal> {
  const remote = redisJournal(await openRedisServer(url))
  return mirrorJournal(remote, await openJournal(dir), (_, lines) => told(lines))
}

const locally = async (dir: string, study: string) => {
  const journal = await openJournal(dir)
  try {
    return await journal.read(study, 0, 10_000)
  } finally {
    await journal.close()
  }
}

withRedis('the mirror', (at) => {
  test('holds every line up to the last that was read, also those of others', async () => {
    const dir = scratch()
    const study = createUlid()
    const journal = await open(at().url, dir)
    await journal.create(study, line('study', { project: '/p' }), {})
    expect(await locally(dir, study)).toHaveLength(1)
    const other = redisJournal(await openRedisServer(at().url))
    for (let n = 0; n < 6; n++) {
      await other.append(
        study,
        Array.from({ length: 200 }, (_, i) => line('a', { n, i }, `${n}:${i}`)),
      )
    }
    // reading somewhere in the middle copies all before it
    expect(await journal.read(study, 1000, 2)).toHaveLength(2)
    const all = await other.read(study, 0, 10_000)
    const copied = await locally(dir, study)
    expect(copied.length).toBeGreaterThanOrEqual(1002)
    expect(copied).toEqual(all.slice(0, copied.length))
    await journal.read(study, 1002, 10_000)
    await other.close()
    await journal.close()
    expect(await locally(dir, study)).toEqual(all)
  })

  test('asks the server once for lines that are read and copied', async () => {
    const dir = scratch()
    const study = createUlid()
    const journal = await open(at().url, dir)
    await journal.create(study, line('study', { project: '/p' }), {})
    await journal.append(study, [line('a'), line('b')])
    const { client, close } = await openRedisServer(at().url)
    const reads = async () =>
      Number(/cmdstat_xrange:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0)
    const before = await reads()
    // the first of these lines is in the copy already
    const lines = await journal.read(study, 0, 10)
    expect((await reads()) - before).toBe(1)
    expect(await locally(dir, study)).toEqual(lines)
    await close()
    await journal.close()
  })

  test('gives a server that lost everything the study back, with its totals', async () => {
    const dir = scratch()
    const study = createUlid()
    const first = await open(at().url, dir)
    await first.create(study, line('study', { project: '/p' }), { tokens: 100 })
    await first.append(study, [line('a', {}, 'k')])
    await first.read(study, 0, 10)
    await first.close()
    const { client, close } = await openRedisServer(at().url)
    await client.flushall()
    await close()
    const journal = await open(at().url, dir)
    const lost = { limits: { tokens: 100 }, spent: { tokens: 30, usd: 0 } }
    expect(await journal.restore(study, lost)).toBe(2)
    expect(await journal.account(study)).toMatchObject({ spent: { tokens: 30 } })
    const claimed = await journal.claim({ study, task: 't1', epoch: 0 }, 'w', 1000)
    const fence = { task: 't1', owner: 'w', epoch: claimed.state === 'ok' ? claimed.epoch : 0 }
    expect(await journal.reserve(study, fence, { tokens: 71, usd: 0 }, 1, {})).toMatchObject({
      state: 'refused',
    })
    expect(await journal.append(study, [line('a', {}, 'k')], fence)).toMatchObject({ state: 'duplicate' })
    expect(await journal.restore(study, lost)).toBe(0)
    await journal.close()
  })

  test('works by itself when the server comes back, and says what was lost', async () => {
    const redis = await startRedis(durable)
    onTestFinished(() => redis.remove())
    const dir = scratch()
    const study = createUlid()
    const told: number[] = []
    const journal = await open(redis.url, dir, (lines) => told.push(lines))
    await journal.create(study, line('study'), {})
    await journal.append(study, [line('a'), line('b')])
    await journal.read(study, 0, 10)
    const worker = redisJournal(await openRedisServer(redis.url))
    await worker.read(study, 0, 1)
    await redis.kill()
    const late = worker.append(study, [line('c')])
    await redis.forget()
    await redis.start()
    expect(await late.catch((error: Error) => error.message)).toMatchObject({ state: 'ok', last: 4 })
    for (const end = Date.now() + 30_000; told.length === 0 && Date.now() < end; ) await sleep(10)
    expect(told).toEqual([3])
    expect((await journal.read(study, 0, 10)).map(({ kind }) => kind)).toEqual(['study', 'a', 'b', 'c'])
    await worker.close()
    await journal.close()
  })
})
