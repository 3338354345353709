// The queue on a real Redis server: each job once, again while a lease is active, only valid
// entries, visible workers.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createUlid } from '../../../../internal/base/ids.ts'
import type { StudyJob } from '../../../../internal/store/journal/journal.ts'
import { LeaseHeld, type StudyEngine } from '../../../../internal/study/engine/study-engine.ts'
import { queueEngine, queueNameOf, queuePrefix } from '../../../../internal/study/redis/queue-engine.ts'
import { openRedisServer, type RedisServer } from '../../../../internal/study/redis/server.ts'
import { durable, startRedis, withRedis } from '../../../support/redis.ts'

withRedis('the queue of a server that is killed', () => {
  test('continues when the server is back, with waiting jobs and new ones', async () => {
    const redis = await startRedis(durable)
    const server = await openRedisServer(redis.url)
    const said: string[] = []
    const engine = await queueEngine(server, { corpus: createUlid(), log: (text) => said.push(text) })
    const study = createUlid()
    const taken: string[] = []
    const stop = new AbortController()
    const working = engine.work(
      async ({ task }) => {
        taken.push(task)
        await sleep(task === 't1' ? 1500 : 0)
      },
      1,
      stop.signal,
    )
    for (const task of ['t1', 't2']) await engine.enqueue({ study, task, epoch: 0 })
    while (taken.length === 0) await sleep(10)
    await redis.kill()
    const late = engine.enqueue({ study, task: 't3', epoch: 0 })
    await sleep(300)
    await redis.start()
    await late
    const began = performance.now()
    while (taken.length < 3 && performance.now() - began < 20_000) await sleep(20)
    expect(taken.sort()).toEqual(['t1', 't2', 't3'])
    stop.abort()
    await working
    await engine.close()
    await server.close()
    await redis.remove()
  })
})

withRedis('the queue of a server that stays away', () => {
  test('ends the work after its maximum wait for the server', async () => {
    const redis = await startRedis(durable)
    const server = await openRedisServer(redis.url, { patienceMs: 200 })
    const engine = await queueEngine(server, { corpus: createUlid() })
    const working = engine.work(async () => undefined, 1, new AbortController().signal)
    await redis.kill()
    await expect(working).rejects.toMatchObject({ failure: { code: 'io' } })
    await engine.close()
    await server.close()
    await redis.remove()
  })
})

withRedis('the queue', (at) => {
  let server: RedisServer
  let engine: StudyEngine
  let corpus: string
  let study: string
  let said: string[]
  let stop: AbortController
  let working: Promise<void>[]
  const log = (text: string) => void said.push(text)
  beforeEach(async () => {
    corpus = createUlid().toLowerCase()
    study = createUlid()
    said = []
    working = []
    stop = new AbortController()
    server = await openRedisServer(at().url)
    engine = await queueEngine(server, { corpus, log, label: 'the one' })
  })
  afterEach(async () => {
    stop.abort()
    await Promise.all(working)
    await engine.close()
    await server.close()
  })
  const work = (run: (job: StudyJob, signal: AbortSignal) => Promise<void>, by = engine, n = 1) => {
    working.push(by.work(run, n, stop.signal))
  }
  const until = async (what: () => boolean) => {
    for (const end = Date.now() + 30_000; !what(); await sleep(20))
      if (Date.now() > end) throw new Error('never')
  }

  test('hands out a job once, however often it is added', async () => {
    const jobs = ['t1', 't2'].map((task) => ({ study, task, epoch: 0 }))
    for (const job of [...jobs, ...jobs]) await engine.enqueue(job)
    const taken: StudyJob[] = []
    work(async (job) => void taken.push(job))
    await engine.enqueue({ study, task: 't3', epoch: 1 })
    await until(() => taken.length === 3)
    // jobs come in order, so a second hand-out would come before the last job
    const last = { study, task: 't12345', epoch: 0 }
    await engine.enqueue(last)
    await until(() => taken.some(({ task }) => task === last.task))
    expect(taken).toEqual([...jobs, { study, task: 't3', epoch: 1 }, last])
  })

  test('a job whose task has an active lease comes back, a failing job does not', async () => {
    let tries = 0
    work(async ({ task }) => {
      if (task === 't1' && ++tries < 3) throw new LeaseHeld(Date.now() + 100)
      if (task === 't2') throw new Error('no good')
    })
    await engine.enqueue({ study, task: 't1', epoch: 0 })
    await engine.enqueue({ study, task: 't2', epoch: 0 })
    await until(() => tries === 3 && said.length > 0)
    expect(said).toEqual([`${study} t2: no good`])
  })

  test('a foreign entry is dropped and runs nothing', async () => {
    const hostile = new Queue(queueNameOf(corpus), { connection: server.client, prefix: queuePrefix })
    const entries: unknown[] = [
      { study, task: 't1', epoch: 0, command: 'touch /tmp/owned' },
      { study: '../../etc/passwd', task: 't1', epoch: 0 },
      { study: `${study}}:x`, task: 't1', epoch: 0 },
      { study, task: '$(id)', epoch: 0 },
      { study, task: 'coordinator', epoch: 0 },
      { study, task: 't1', epoch: -1 },
      { study, task: 't1', epoch: 1.5 },
      ['t1'],
      'rm -rf /',
      null,
    ]
    for (const entry of entries) await hostile.add('task', entry)
    await hostile.add('require', { study, task: 't9', epoch: 0 })
    const taken: StudyJob[] = []
    work(async (job) => void taken.push(job))
    await until(() => said.length === entries.length && taken.length === 1)
    expect(taken).toEqual([{ study, task: 't9', epoch: 0 }])
    expect(said.every((line) => /^dropped the entry \S+: it does not name a task$/.test(line))).toBe(true)
    await hostile.close()
  })

  test('only workers with the same files get a task, and connected workers are listed', async () => {
    const other = await queueEngine(server, { corpus: createUlid(), log, label: 'other' })
    const taken: string[] = []
    work(async () => void taken.push('other'), other)
    work(async () => void taken.push('mine'))
    await engine.enqueue({ study, task: 't1', epoch: 0 })
    await until(() => taken.length > 0)
    expect(taken).toEqual(['mine'])
    const health = await engine.health()
    expect(health.workers).toBe(1)
    expect(health.notes).toContain('worker the-one')
    await other.close()
  })

  test('a cancel removes waiting jobs, of that study only', async () => {
    const other = createUlid()
    for (const task of ['t1', 't2']) await engine.enqueue({ study, task, epoch: 0 })
    await engine.enqueue({ study: other, task: 't1', epoch: 0 })
    await engine.cancel(study)
    const taken: StudyJob[] = []
    work(async (job) => void taken.push(job))
    const last = { study: other, task: 't2', epoch: 0 }
    await engine.enqueue(last)
    await until(() => taken.some(({ task }) => task === 't2'))
    expect(taken).toEqual([{ study: other, task: 't1', epoch: 0 }, last])
  })

  test('the end waits for the running job, whose signal aborts', async () => {
    let ended = false
    let started = false
    work(async (_, signal) => {
      started = true
      await new Promise((done) => signal.addEventListener('abort', done))
      for (let turn = 0; turn < 50; turn++) await setImmediate()
      ended = true
    })
    await engine.enqueue({ study, task: 't1', epoch: 0 })
    await until(() => started)
    stop.abort()
    await Promise.all(working)
    expect(ended).toBe(true)
  })
})
