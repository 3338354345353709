// A server that hangs or never comes back: a study ends with a report near its deadline, and later
// continues without paying twice.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expect, test as inTurn, type TestContext, vi } from 'vitest'
import { corpus, type Machine, machines, question, slowScript } from '../support/many-machines.ts'
import { durable, startRedis, whereRedis } from '../support/redis.ts'

const test = inTurn.concurrent

/** Milliseconds after the deadline by which a study has to end: 5 s, and 5 s for shared cores. */
const graceMs = 10_000
/** Milliseconds after a signal by which a program has to end, on shared cores too. */
const stopMs = 12_000

const scripted = (machine: Machine, delayMs: number) => {
  const file = join(machine.dir, '..', 'slow.jsonl')
  writeFileSync(file, slowScript(delayMs))
  return `script:${file}`
}

async function ground({ onTestFinished }: TestContext) {
  const park = machines()
  const redis = await startRedis(durable)
  onTestFinished(async () => {
    await park.clear()
    redis.resume()
    await redis.remove()
  })
  return { machine: park.machine(corpus), redis, engine: ['--engine', redis.url] }
}

const faults = [
  { name: 'hangs', strike: 'pause' },
  { name: 'is gone for good', strike: 'kill' },
] as const
const workers = [
  { who: 'local workers', local: '2' },
  { who: 'one local worker', local: '1' },
] as const

whereRedis('a server that does not answer', () => {
  for (const { name, strike } of faults)
    for (const { who, local } of workers)
      test(`${name}, ${who}: exit 3 near the deadline, resume pays nothing twice`, async (context) => {
        const { machine, redis, engine } = await ground(context)
        const deadlineMs = 14_000
        const model = scripted(machine, 1_500)
        const study = machine.start([
          ...['study', question, ...engine, '--workers', '2', '--local', local, '--json', '--model', model],
          ...['--deadline', `${deadlineMs / 1000}s`],
        ])
        // a started task is in the log before the fault
        await new Promise<void>((done, fail) => {
          study.process.stderr?.on('data', () => /"kind":"task.started"|started/.test(study.err()) && done())
          void study.ended.then(() => fail(new Error(`the study ended early: ${study.err()}`)))
        })
        await redis[strike]()
        expect(await study.ended).toBe(3)
        const end = Date.now()
        const report = JSON.parse(study.out()) as { id: string; created: string }
        expect(end - Date.parse(report.created)).toBeLessThan(deadlineMs + graceMs)
        expect(report).toMatchObject({ status: 'partial', reason: 'server_lost', exit: 3 })
        expect(study.err()).toMatch(/waits for redis:\/\/127\.0\.0\.1:\d+, \d+ s left/)
        if (strike === 'pause') redis.resume()
        else await redis.start()
        const again = await machine.run([
          'study',
          'resume',
          report.id,
          '--local',
          '2',
          '--json',
          '--quiet',
          '--deadline',
          '60s',
        ])
        expect(JSON.parse(again.out)).toMatchObject({ status: 'done', repaid_steps: 0, duplicate_claims: 0 })
      })

  for (const { name, strike } of faults)
    test(`${name} while a study waits for its first worker: exit 3 near the deadline, and nothing is stored`, async (context) => {
      const { machine, redis, engine } = await ground(context)
      const deadlineMs = 14_000
      const study = machine.start([
        ...['study', question, ...engine, '--local', '0', '--worker-wait', '2m'],
        ...['--model', scripted(machine, 10), '--deadline', `${deadlineMs / 1000}s`],
      ])
      const began = Date.now()
      const client = new Redis(redis.url)
      await vi.waitUntil(async () => (await client.exists('anode:wanted')) === 1, { timeout: 60_000 })
      client.disconnect()
      await redis[strike]()
      expect(await study.ended, study.err()).toBe(3)
      expect(Date.now() - began).toBeLessThan(deadlineMs + graceMs)
      expect(study.err()).toMatch(/is lost: no answer for too long\nno study is stored; start it again/)
      expect((await machine.run(['study', 'list'])).out).toBe('')
    })

  test('an idle worker ends after SIGTERM', async (context) => {
    const { machine, redis, engine } = await ground(context)
    const worker = machine.start(['worker', ...engine, '--model', scripted(machine, 10)])
    await worker.says('serves corpus')
    redis.pause()
    const began = Date.now()
    worker.process.kill('SIGTERM')
    await worker.ended
    expect(Date.now() - began).toBeLessThan(stopMs)
  })

  test('a leader ends after SIGTERM', async (context) => {
    const { machine, redis, engine } = await ground(context)
    const study = machine.start([
      ...['study', question, ...engine, '--workers', '2', '--json', '--model', scripted(machine, 1_500)],
    ])
    await new Promise<void>((done) => {
      study.process.stderr?.on('data', () => /started/.test(study.err()) && done())
    })
    redis.pause()
    const began = Date.now()
    study.process.kill('SIGTERM')
    expect(await study.ended).toBe(143)
    expect(Date.now() - began).toBeLessThan(stopMs)
  })

  test('a server that hangs before the study is named, and nothing is stored', async (context) => {
    const { machine, redis, engine } = await ground(context)
    redis.pause()
    const { code, err } = await machine.run(['study', question, ...engine, '--model', scripted(machine, 10)])
    expect(code).toBe(2)
    expect(err).toMatch(/does not answer: no answer within 10 s/)
  })
})
