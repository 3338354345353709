// A stopped study that ends soon, wherever it waits: for a model, a tool, a server, its workers
// or its report.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test as inTurn, type TestContext } from 'vitest'
import { processExists } from '../../internal/base/process-identity.ts'
import { type World, world } from '../support/anode.ts'
import { live } from '../support/live.ts'
import { type ServedReply, serveModel } from '../support/model-server.ts'
import { startRedis } from '../support/redis.ts'
import { full, sampleRows } from '../support/sample.ts'

// each test mostly waits for programs to start
const test = full ? inTurn : inTurn.concurrent

/** Limit in milliseconds from the signal to the end of the process. The short form may run on a busy machine. */
const limitMs = full ? 2_500 : 8_000

interface Stop {
  at: World
  context: TestContext
}

interface Waiting {
  /** Arguments after `anode`. */
  words: string[]
  /** Resolves when the program waits for something that never comes. */
  waits: Promise<unknown>
  /** Whether nothing is stored so far. */
  isEarly?: true
}

const promise = () => {
  let resolve: () => void = () => undefined
  const done = new Promise<void>((made) => {
    resolve = made
  })
  return { done, resolve }
}

/**
 * Starts a server that accepts connections and never responds. `waits` resolves after a request
 * that matches `wanted`.
 */
async function silentServer({ context }: Stop, wanted = /./) {
  const sockets = new Set<Socket>()
  const asked = promise()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.on('data', (part) => wanted.test(part.toString('latin1')) && asked.resolve())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { port, waits: asked.done }
}

const question = 'How does the store lock files, and what is the journal for after a crash?'

/** Writes a user configuration with one provider at this URL and the settings in `more`. */
function configure({ at }: Stop, baseUrl: string, more: object = {}): string[] {
  mkdirSync(join(at.dir, '..', '.config', 'anode'), { recursive: true })
  const near = { baseUrl, apiKey: 'x', window: 100_000, model: 'words' }
  at.put('../.config/anode/config.json', JSON.stringify({ providers: { near }, ...more }))
  return ['--model', 'near/words']
}

const look = { calls: [{ name: 'read', args: { path: 'doc/lock.md' } }] }
const found = {
  claims: [{ text: 'It locks.', evidence: 'E1.1', quote: 'locks files with O_EXCL' }],
  gaps: [],
}
const hung: ServedReply = { text: 'never said', fault: { at: 0, how: 'silence' } }

/** Answers as a worker does until the request for the response `what`, which it never sends. */
async function model(stop: Stop, what: 'plan' | 'first step' | 'second step' | 'report', answer = hung) {
  const reached = promise()
  const server = await serveModel(({ raw, body }) => {
    const isReport = raw.includes('Write the report on this question')
    const isPlan = raw.includes('At most 3 tasks')
    const steps = body.messages.filter(({ role }: { role: string }) => role === 'assistant').length
    const now = isPlan ? 'plan' : isReport ? 'report' : steps === 0 ? 'first step' : 'second step'
    if (now !== what) {
      if (isReport) return { text: '## Answer\n\nIt locks [C1.1].\n' }
      return steps === 0 ? look : { text: JSON.stringify(found) }
    }
    reached.resolve()
    return answer
  })
  stop.context.onTestFinished(() => server.close())
  return { flags: configure(stop, server.url), waits: reached.done }
}

/** Returns one task from a plan, so that the workers are asked at once. */
function oneTask({ at }: Stop): string[] {
  const plan = join(at.dir, '..', 'plan.json')
  writeFileSync(plan, JSON.stringify({ tasks: [{ objective: 'locks' }] }))
  return ['study', 'what of locks?', '--plan', plan]
}

const modelRow =
  (what: Parameters<typeof model>[1], answer?: ServedReply) =>
  async (stop: Stop): Promise<Waiting> => {
    const { flags, waits } = await model(stop, what, answer)
    return { words: [...(what === 'plan' ? ['study', question] : oneTask(stop)), ...flags], waits }
  }

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const begun: ServedReply = { text: 'x'.repeat(2_000), fault: { at: 900, how: 'silence' } }
const tooMany: ServedReply = { status: 429, headers: { 'retry-after': '60' }, body: '{}' }

const rows: [string, (stop: Stop) => Promise<Waiting>][] = [
  ['the plan', modelRow('plan')],
  ['the first step of a worker', modelRow('first step')],
  ['the second step of a worker', modelRow('second step')],
  ['the rest of a reply', modelRow('second step', begun)],
  ['the time that an endpoint wants', modelRow('first step', tooMany)],
  ['the report', modelRow('report')],
  [
    'an endpoint that takes the connection alone',
    async (stop) => {
      const { port, waits } = await silentServer(stop, /^POST/)
      return { words: [...oneTask(stop), ...configure(stop, `http://127.0.0.1:${port}/v1`)], waits }
    },
  ],
  [
    'a search on the web',
    async (stop) => {
      const { port, waits } = await silentServer(stop)
      const search = { calls: [{ name: 'web_search', args: { query: 'locks' } }] }
      const server = await serveModel(() => search)
      stop.context.onTestFinished(() => server.close())
      const flags = configure(stop, server.url, { web: { searxngUrl: `http://127.0.0.1:${port}` } })
      return { words: ['study', 'what of locks?', '--sources', 'web', ...flags], waits }
    },
  ],
  [
    'tools of a server that does not start',
    async (stop) => {
      const { flags } = await model(stop, 'plan')
      const started = join(stop.at.dir, 'started')
      const command = `require('node:fs').writeFileSync(${JSON.stringify(started)}, ''); setInterval(() => 0, 1e6)`
      configure(stop, 'http://127.0.0.1:9/v1', {
        mcpServers: { mute: { command: process.execPath, args: ['-e', command] } },
      })
      return {
        words: ['study', question, '--sources', 'repo,mcp', ...flags],
        waits: later(1_500),
        isEarly: true,
      }
    },
  ],
  [
    'a queue that takes the connection alone',
    async (stop) => {
      const { port, waits } = await silentServer(stop)
      return { words: [...oneTask(stop), '--engine', `redis://127.0.0.1:${port}`], waits, isEarly: true }
    },
  ],
  [
    'a worker on another machine',
    async (stop) => {
      const redis = await startRedis()
      stop.context.onTestFinished(() => redis.remove())
      const words = [...oneTask(stop), '--engine', redis.url, '--local', '0', '--worker-wait', '60s']
      return { words, waits: later(2_000), isEarly: true }
    },
  ],
  [
    'a step of a worker behind a queue',
    async (stop) => {
      const redis = await startRedis()
      stop.context.onTestFinished(() => redis.remove())
      const { words, waits } = await modelRow('second step')(stop)
      return { words: [...words, '--engine', redis.url], waits }
    },
  ],
  [
    'whoever collects its spans',
    async (stop) => {
      const { port, waits } = await silentServer(stop)
      const { flags } = await model(stop, 'report', { text: '## Answer\n\nIt locks [C1.1].\n' })
      at(stop).OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`
      return { words: [...oneTask(stop), ...flags], waits, isEarly: true }
    },
  ],
]

/** Additional environment variables of a row. */
const environments = new WeakMap<World, Record<string, string>>()
const at = (stop: Stop): Record<string, string> => {
  const env = environments.get(stop.at) ?? {}
  environments.set(stop.at, env)
  return env
}

const cases = rows.flatMap(([name, begin]) =>
  (['SIGINT', 'SIGTERM'] as const).map((signal) => [name, signal, begin] as const),
)

for (const [name, signal, begin] of sampleRows(cases, 5))
  test(`${signal} while the study waits for ${name}`, { timeout: 60_000 }, async (context) => {
    const own = world()
    context.onTestFinished(() => own.remove())
    own.put('doc/lock.md', 'The store locks files with O_EXCL.\n')
    const stop = { at: own, context }
    const { words, waits, isEarly } = await begin(stop)
    const env = { HOME: join(own.dir, '..'), ...at(stop) }
    const running = live(own, [...words, '--yes'], env)
    await Promise.race([
      waits,
      running.done.then(({ err }) => Promise.reject(new Error(`it ended before: ${err}`))),
    ])
    await later(150)
    const since = performance.now()
    running.child.kill(signal)
    const done = await running.done
    const tookMs = performance.now() - since
    process.stdout.write(`stop at ${name}, ${signal}: ${Math.round(tookMs)} ms\n`)
    expect(done.err).not.toMatch(/TypeError|AbortError|at .*\.ts:/)
    expect({ code: done.code, signal: done.signal }, done.err).toEqual({
      code: signal === 'SIGINT' ? 130 : 143,
      signal: null,
    })
    expect(tookMs).toBeLessThan(limitMs)
    expect(done.err).toMatch(/^(?:anode: )?interrupted/m)
    if (isEarly) return
    const status = await own.anode(['study', 'status', 'last', '--json'])
    expect(JSON.parse(status.out)).toMatchObject({ status: 'paused', reason: 'interrupted' })
  })

test('no worker survives its coordinator by ten seconds', { timeout: 60_000 }, async (context) => {
  const own = world()
  context.onTestFinished(() => own.remove())
  own.put('doc/lock.md', 'The store locks files with O_EXCL.\n')
  const { words, waits } = await modelRow('second step')({ at: own, context })
  const running = live(own, [...words, '--yes', '--json'], { HOME: join(own.dir, '..') })
  const [, pid] = await running.until(/"kind":"task.started"[^\n]*"pid":(\d+)/, 'err')
  await waits
  running.child.kill('SIGKILL')
  await running.done
  const since = performance.now()
  while (processExists(Number(pid)) && performance.now() - since < 30_000) await later(50)
  expect(performance.now() - since).toBeLessThan(10_000)
})
