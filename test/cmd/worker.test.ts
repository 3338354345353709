// `anode worker`: rejected arguments, output, and ends. Studies over it are in test/faults/redis-study.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { corpus, type Machines, machines, question } from '../support/many-machines.ts'
import { freePort, startRedis, withRedis } from '../support/redis.ts'
import { sampleRows } from '../support/sample.ts'
import { root } from '../support/sources.ts'

let at: World
let park: Machines
beforeEach(() => {
  at = world()
  park = machines()
})
afterEach(async () => {
  at.remove()
  await park.clear()
})

test.each(
  sampleRows(
    [
      [[], 'a worker needs --engine redis://…'],
      [['--engine', 'embedded'], 'a worker needs --engine redis://…'],
      [['--engine', 'http://:s3cret@h'], 'not an engine: http://[secret]@h'],
      [
        ['--engine', 'redis://h', '--concurrency', '0'],
        '--concurrency must be a whole number from 1 to 256, got 0',
      ],
      [['--engine', 'redis://h', '--label', ' '], '--label must have 1 to 100 characters'],
      [['--engine', 'redis://h', '--root', 'nowhere'], 'nowhere does not exist'],
    ],
    2,
  ),
)('rejects %j', async (words, message) => {
  const done = await at.anode(['worker', ...words])
  expect(done).toMatchObject({ code: 2, out: '' })
  expect(done.err).toContain(message)
  expect(done.err).not.toContain('s3cret')
})

test('a server without a response: exit code 2', async () => {
  const url = `redis://:s3cret@127.0.0.1:${await freePort()}`
  const done = await at.anode(['worker'], { env: { ANODE_ENGINE: url } })
  expect(done.code).toBe(2)
  expect(done.err).toMatch(/^anode: redis:\/\/127\.0\.0\.1:\d+ does not answer: ECONNREFUSED\n/)
})

/** Starts a worker that reads the URL from standard input, which stays open. */
function startWithUrl(url: string) {
  const worker = park.machine(corpus).start(['worker', '--engine', '-'], {}, 'pipe')
  worker.process.stdin?.write(`${url}\n`)
  return worker
}

test.each([
  ['an unreachable server', async () => `redis://127.0.0.1:${await freePort()}`, 'does not answer'],
  ['no URL', async () => 'garbage', 'not an engine: garbage'],
  ['the engine of this machine', async () => 'embedded', 'a worker needs --engine redis://…'],
  ['an empty line', async () => '', 'standard input has no URL'],
])('ends at %s from standard input that stays open', async (_, url, message) => {
  const worker = startWithUrl(await url())
  expect(await worker.ended).toBe(2)
  expect(worker.err()).toContain(message)
})

test('names the error of a worker over ssh, and ends if none is left', async () => {
  const one = park.machine({})
  const bin = join(one.dir, '..', 'bin')
  mkdirSync(bin)
  const program = `exec ${process.execPath} ${join(root, 'dist/anode.cjs')} "$@"`
  // the host is this machine, and its worker fails while standard input is open
  writeFileSync(join(bin, 'ssh'), '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n', { mode: 0o755 })
  writeFileSync(join(bin, 'anode'), `#!/bin/sh\n${program}\n`, { mode: 0o755 })
  const url = `redis://127.0.0.1:${await freePort()}`
  const env = { PATH: `${bin}:${process.env['PATH']}` }
  const words = ['worker', '--engine', '-', '--ssh', 'near', '--root', one.dir]
  const workers = one.start(words, env, 'pipe')
  workers.process.stdin?.write(`${url}\n`)
  expect(await workers.ended).toBe(2)
  expect(workers.err()).toBe(`anode: no worker is left\nnear: ${url} does not answer: ECONNREFUSED\n`)
})

withRedis('on a server', (redis) => {
  test('the end of standard input ends a worker that is still starting with 0', async () => {
    const worker = startWithUrl(redis().url)
    worker.process.stdin?.end()
    expect(await worker.ended, worker.err()).toBe(0)
    expect(worker.err()).toBe('')
  })

  test.each([
    ['SIGTERM', 0],
    ['SIGINT', 130],
  ] as const)('%s ends an idle worker with %i', async (signal, code) => {
    const worker = park.machine(corpus).start(['worker', '--engine', redis().url, '--label', 'w'])
    await worker.says('worker w serves corpus')
    expect(worker.out()).toMatch(
      /^worker w serves corpus [0-9a-f]{12} \(2 files\) at redis:\/\/127\.0\.0\.1:\d+\n$/,
    )
    worker.process.kill(signal)
    expect(await worker.ended, worker.err()).toBe(code)
    expect(worker.err()).toBe('')
  })

  test('an empty directory: exit code 2', async () => {
    const done = await park.machine({}).run(['worker', '--engine', redis().url])
    expect(done).toMatchObject({ code: 2, err: expect.stringContaining('root has no readable files') })
  })

  test('one object a line, and the same report as on one machine', async () => {
    const worker = park.machine(corpus).start(['worker', '--engine', redis().url, '--json', '--label', 'w'])
    await worker.says('"ready"')
    const lead = park.machine(corpus)
    const words = ['study', question, '--workers', '2', '--json', '--quiet']
    const far = await lead.run([...words, '--engine', redis().url, '--local', '0'])
    const near = await lead.run(words)
    const bare = (out: string) =>
      JSON.stringify(JSON.parse(out), (key, value: unknown) =>
        ['id', 'wall_ms', 'created', 'pid', 'host', 'engine'].includes(key) && typeof value !== 'object'
          ? undefined
          : value,
      )
    expect(bare(far.out)).toBe(bare(near.out))
    const lines = worker.out().trimEnd().split('\n')
    const news = lines.map((line) => JSON.parse(line) as { event: string; task?: string })
    expect(news.map(({ event }) => event)).toEqual(['ready', 'started', 'ended'])
  }, 60_000)

  test('uses a server that may lose data only with the flag, and the report mentions it', async () => {
    const unsafe = await startRedis(['--appendonly', 'no'])
    const lead = park.machine(corpus)
    const words = ['study', question, '--engine', unsafe.url, '--workers', '1']
    const refused = await lead.run(words)
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining('engine unsafe: appendonly is off; set "appendonly yes"'),
    ])
    const done = await lead.run([...words, '--engine-unsafe', '--quiet'])
    expect([0, 3]).toContain(done.code)
    const report = await lead.run(['study', 'report', 'last', '--format', 'md'])
    expect(report.out).toContain('engine unsafe: appendonly is off')
    await unsafe.remove()
  }, 60_000)
})
