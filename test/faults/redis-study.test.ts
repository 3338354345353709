// Studies over several machines and a real server. Workers, the server and the network fail, and the
// result stays correct.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { expect, test as inTurn, type TestContext } from 'vitest'
import { createUlid } from '../../internal/base/ids.ts'
import { queueNameOf, queuePrefix } from '../../internal/study/redis/queue-engine.ts'
import {
  corpus,
  type Machine,
  machines,
  question,
  type Running,
  slowScript,
} from '../support/many-machines.ts'
import { durable, startRedis, whereRedis } from '../support/redis.ts'
import { sampleRows } from '../support/sample.ts'
import { random, report, rounds, seed, sleep } from './store/start.ts'

// The tests wait many seconds for locks and leases to end, so they run concurrently.
const test = inTurn.concurrent

const scripted = (machine: Machine, delayMs: number) => {
  const file = join(machine.dir, '..', 'slow.jsonl')
  writeFileSync(file, slowScript(delayMs))
  return `script:${file}`
}
const quietly = ['--local', '0', '--json', '--quiet']

/** Returns machines and a server for one test, which are removed when the test has finished. */
async function ground({ onTestFinished }: TestContext) {
  const park = machines()
  const redis = await startRedis(durable)
  onTestFinished(async () => {
    await park.clear()
    await redis.remove()
  })
  const engine = ['--engine', redis.url]
  return {
    park,
    redis,
    serving: (machine: Machine, label: string, delayMs: number, ...more: string[]) =>
      machine.start(['worker', ...engine, '--label', label, '--model', scripted(machine, delayMs), ...more]),
    leading: (machine: Machine, delayMs: number, ...more: string[]) =>
      machine.start([
        ...['study', question, ...engine, '--workers', '2', ...quietly],
        ...['--model', scripted(machine, delayMs), ...more],
      ]),
  }
}

/** Waits for output of workers, and fails at once if the study ends before. */
const during = async (study: Running, words: Promise<unknown>) => {
  const early = study.ended.then((end) => {
    throw new Error(`the study ended (${end}): ${study.err()}`)
  })
  await Promise.race([words, early])
}
const result = (out: string) => JSON.parse(out) as Record<string, unknown> & { id: string; claims: unknown[] }

/** Exact despite all faults: both tasks are answered, and nothing is paid or claimed twice. */
const whole = { repaid_steps: 0, duplicate_claims: 0, citation_accuracy: 1, status: 'done' }

whereRedis('a study over several machines', () => {
  test('a worker is killed at any moment: the other one resumes its task', async (context) => {
    const { park, serving, leading } = await ground(context)
    const next = random()
    const tried = rounds(1)
    const b = serving(park.machine(corpus), 'b', 400)
    await b.says('serves corpus')
    let [survived, longest] = [0, 0]
    for (let round = 0; round < tried; round++) {
      const a = serving(park.machine(corpus), `a${round}`, 400)
      await a.says('serves corpus')
      const study = leading(park.machine(corpus), 400)
      await during(study, a.says('started'))
      await sleep(next() * 1500)
      a.process.kill('SIGKILL')
      const killed = performance.now()
      const end = await study.ended
      longest = Math.max(longest, (performance.now() - killed) / 1000)
      expect([end, study.err()], `seed ${seed}`).toEqual([0, ''])
      const found = result(study.out())
      expect(found, `seed ${seed}`).toMatchObject(whole)
      expect(found.claims).toHaveLength(2)
      survived++
    }
    report('remote worker killed', survived, tried)
    console.log(
      `done ${longest.toFixed(1)} s after the kill at the latest; lock + stalled interval + 5 s is 25 s`,
    )
  }, 900_000)

  test('the server is killed and comes back: all processes wait and continue', async (context) => {
    const { park, redis, serving, leading } = await ground(context)
    const workers = ['a', 'b'].map((label) => serving(park.machine(corpus), label, 400))
    await Promise.all(workers.map((worker) => worker.says('serves corpus')))
    const study = leading(park.machine(corpus), 400)
    await during(study, Promise.all(workers.map((worker) => worker.says('started'))))
    for (let round = 0; round < 2; round++) {
      await sleep(300)
      await redis.kill()
      await sleep(700)
      await redis.start()
    }
    expect(await study.ended, study.err()).toBe(0)
    expect(result(study.out())).toMatchObject(whole)
    report('server killed twice within a study', 1, 1)
  }, 300_000)

  test('the leading process is killed and the server loses its data: resume restores the data and continues', async (context) => {
    const { park, redis, serving, leading } = await ground(context)
    const a = serving(park.machine(corpus), 'a', 400)
    await a.says('serves corpus')
    const lead = park.machine(corpus)
    const study = leading(lead, 400)
    await during(study, a.says('started'))
    await sleep(1000)
    study.process.kill('SIGKILL')
    await study.ended
    a.process.kill('SIGKILL')
    await a.ended
    await redis.kill()
    await redis.forget()
    await redis.start()
    const b = serving(park.machine(corpus), 'b', 100)
    await b.says('serves corpus')
    const again = lead.start(['study', 'resume', 'last', ...quietly])
    expect(await again.ended, again.err()).toBe(0)
    expect(result(again.out())).toMatchObject(whole)
    const trace = await lead.run(['study', 'trace', 'last'])
    expect(trace.out).toMatch(/journal restored/)
    report('coordinator, worker and the whole server lost', 1, 1)
  }, 300_000)

  test('the server does not come back: exit code 3 at the deadline, and a later resume works', async (context) => {
    const { park, redis, serving, leading } = await ground(context)
    const lead = park.machine(corpus)
    const a = serving(park.machine(corpus), 'a', 400)
    await a.says('serves corpus')
    const study = leading(lead, 400, '--deadline', '5s')
    await during(study, a.says('started'))
    await sleep(500)
    await redis.kill()
    expect(await study.ended, study.err()).toBe(3)
    expect(result(study.out())).toMatchObject({ status: 'partial', reason: 'server_lost' })
    // This worker would log that the time is over, which is true of the study it knows.
    a.process.kill('SIGKILL')
    await a.ended
    await redis.start()
    const b = serving(park.machine(corpus), 'b', 100)
    await b.says('serves corpus')
    const again = lead.start(['study', 'resume', 'last', '--deadline', '60s', ...quietly])
    expect(await again.ended, again.err()).toBe(0)
    expect(result(again.out())).toMatchObject(whole)
    report('server away past the deadline', 1, 1)
  }, 300_000)

  test('SIGTERM: the step is finished, another worker gets the task, and the exit code is 0', async (context) => {
    const { park, serving, leading } = await ground(context)
    const a = serving(park.machine(corpus), 'a', 400)
    await a.says('serves corpus')
    const study = leading(park.machine(corpus), 400)
    await during(study, a.says('started'))
    a.process.kill('SIGTERM')
    // starts only now, because its start may take longer than all work of the first
    const b = serving(park.machine(corpus), 'b', 400)
    await b.says('serves corpus')
    expect(await a.ended, a.err()).toBe(0)
    expect(a.out()).toContain('returned: given back')
    expect(await study.ended, study.err()).toBe(0)
    expect(result(study.out())).toMatchObject(whole)
    report('worker asked to end', 1, 1)
  }, 300_000)

  for (const lost of sampleRows(['everything', 'nothing'], 2))
    test(`a study without its coordinator blocks no other study and no exit, after the server lost ${lost}`, async (context) => {
      const { park, redis, serving, leading } = await ground(context)
      const a = serving(park.machine(corpus), 'a', 400)
      await a.says('serves corpus')
      const left = leading(park.machine(corpus), 400)
      await during(left, a.says('started'))
      left.process.kill('SIGKILL')
      await left.ended
      await redis.kill()
      if (lost === 'everything') await redis.forget()
      await redis.start()
      const other = leading(park.machine(corpus), 100)
      expect(await other.ended, other.err()).toBe(0)
      expect(result(other.out())).toMatchObject(whole)
      const began = performance.now()
      a.process.kill('SIGTERM')
      expect(await a.ended, a.err()).toBe(0)
      expect(performance.now() - began).toBeLessThan(60_000)
      report(`coordinator killed with tasks waiting, server restarted with ${lost} lost`, 1, 1)
    }, 300_000)

  test('hostile and duplicate entries change nothing', async (context) => {
    const { park, redis, serving, leading } = await ground(context)
    const a = serving(park.machine(corpus), 'a', 300, '--json')
    await a.says('"ready"')
    const ready = JSON.parse(a.out().split('\n')[0] ?? '') as { corpus: string }
    const client = new Redis(redis.url, { maxRetriesPerRequest: null })
    const queue = new Queue<unknown>(queueNameOf(ready.corpus), { connection: client, prefix: queuePrefix })
    const study = leading(park.machine(corpus), 300)
    await during(study, a.says('"started"'))
    const id = /"study":"(\w+)"/.exec(a.out())?.[1] ?? ''
    const fake = createUlid()
    const head = {
      id: fake,
      corpus: ready.corpus,
      model: { name: 'record:/tmp/owned,builtin/extract' },
      sources: ['repo'],
    }
    await client.xadd(`anode:{${fake}}:log`, '1-0', 'ts', '1', 'kind', 'study', 'data', JSON.stringify(head))
    const entries: unknown[] = [
      { study: id, task: 't1', epoch: 0 },
      { study: id, task: 't1', epoch: 0 },
      { study: id, task: 't2', epoch: 99 },
      { study: id, task: 't77', epoch: 0 },
      { study: id, task: 'coordinator', epoch: 0 },
      { study: fake, task: 't1', epoch: 0 },
      { study: createUlid(), task: 't1', epoch: 0 },
      { command: 'touch /tmp/owned' },
    ]
    for (const entry of entries) await queue.add('task', entry)
    expect(await study.ended, study.err()).toBe(0)
    const found = result(study.out())
    expect(found).toMatchObject(whole)
    expect(found.claims).toHaveLength(2)
    const started = a
      .out()
      .split('\n')
      .filter((line) => line.includes('"started"'))
    expect(started.map((line) => (JSON.parse(line) as { task: string }).task).sort()).toEqual(['t1', 't2'])
    await queue.close()
    client.disconnect()
    report('hostile and doubled entries', entries.length, entries.length)
  }, 300_000)

  test('results can be read after the server has ended', async (context) => {
    const { park, redis, serving, leading } = await ground(context)
    const a = serving(park.machine(corpus), 'a', 10)
    await a.says('serves corpus')
    const lead = park.machine(corpus)
    const study = leading(lead, 10)
    expect(await study.ended, study.err()).toBe(0)
    await redis.kill()
    for (const words of [['status'], ['report'], ['trace'], ['verify', '--json']]) {
      const done = await lead.run(['study', words[0] as string, 'last', ...words.slice(1)])
      expect([words[0], done.code, done.err]).toEqual([words[0], 0, ''])
    }
    expect((await lead.run(['study', 'report', 'last'])).out).toContain('O_EXCL')
  }, 300_000)

  test('no worker serves these files, or the server rejects the study: exit code 2 and nothing is stored', async (context) => {
    const { park, redis, serving, leading } = await ground(context)
    const other = serving(park.machine({ ...corpus, 'more.md': 'more\n' }), 'other', 10)
    await other.says('serves corpus')
    const lead = park.machine(corpus)
    const alone = leading(lead, 10, '--worker-wait', '500ms')
    expect(await alone.ended).toBe(2)
    expect(alone.err()).toMatch(/no worker serves corpus [0-9a-f]{12} at redis:\/\/127\.0\.0\.1:\d+/)
    await redis.kill()
    const gone = leading(lead, 10)
    expect(await gone.ended).toBe(2)
    expect(gone.err()).toContain('does not answer: ECONNREFUSED')
    const evicting = await startRedis(['--maxmemory-policy', 'allkeys-lru'])
    const unsafe = await lead.run(['study', question, '--engine', evicting.url])
    expect([unsafe.code, unsafe.err]).toEqual([
      2,
      expect.stringContaining('engine unsafe: maxmemory-policy is allkeys-lru'),
    ])
    expect((await lead.run(['study', 'status', 'last'])).code).toBe(2)
  }, 300_000)

  test('a worker for one task ends after it', async (context) => {
    const { park, serving, leading } = await ground(context)
    const [a, b] = [
      serving(park.machine(corpus), 'a', 10, '--once'),
      serving(park.machine(corpus), 'b', 10, '--once'),
    ]
    await Promise.all([a.says('serves corpus'), b.says('serves corpus')])
    const study = leading(park.machine(corpus), 10)
    expect(await study.ended, study.err()).toBe(0)
    expect([await a.ended, await b.ended]).toEqual([0, 0])
    const done = [a, b].map((worker) => worker.out().match(/t[12] {2}done/g))
    expect(done.map((tasks) => tasks?.length)).toEqual([1, 1])
  }, 300_000)

  test('a worker without the model passes the task on until the task fails', async (context) => {
    const { park, redis, leading } = await ground(context)
    const machine = park.machine(corpus)
    const a = machine.start(['worker', '--engine', redis.url, '--label', 'a'])
    await a.says('serves corpus')
    const study = leading(park.machine(corpus), 10)
    expect(await study.ended).toBe(1)
    expect(study.out()).toContain('the worker lacks the model')
    expect(a.out()).toContain('returned: the worker lacks the model')
  }, 300_000)
})
