// Interrupted, silent and refused responses of a model in a whole run: no call runs twice, and no call of a
// partial response runs.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { runHeadless } from '../../internal/runtime/run/headless-run.ts'
import type { RunOptions } from '../../internal/runtime/run/run-options.ts'
import { features } from '../../internal/service/features/index.ts'
import { bodyOf, type Received, type ServedReply, serveModel } from '../support/model-server.ts'
import { rng } from '../support/rng.ts'
import { scratchWith } from '../support/scratch.ts'

const long = Boolean(process.env.ANODE_FAULTS)
const seed = Number(process.env.ANODE_SEED ?? 4096)
vi.setConfig({ testTimeout: long ? 900_000 : 90_000 })
const lines: string[] = []
afterAll(() => {
  for (const line of lines) console.log(line)
})

const act: ServedReply = {
  text: 'I write one line. '.repeat(6),
  calls: [{ id: 'a', name: 'bash', args: { command: `echo once >> log # ${'x'.repeat(260)}` } }],
  piece: 24,
}
const say: ServedReply = { text: 'written' }
const whole = bodyOf(act).length
/** From this byte on the response is complete, even if the connection ends. */
const complete = bodyOf(act).indexOf('"finish_reason":"tool_calls"')
const answered = ({ body }: Received) => body.messages.at(-1).role === 'tool'

interface Place {
  dir: string
  go(url: string, thread?: string): ReturnType<typeof runHeadless>
  /** Returns the number of lines that the call has written. */
  written(): number
}

function place(idle = 5000): Place {
  const settings = { providers: { openai: { timeouts: { idle } } } }
  const dir = scratchWith({ 'config.json': JSON.stringify(settings) })
  return {
    dir,
    go: (url, thread) => {
      const options: RunOptions = {
        cwd: dir,
        env: {
          PATH: process.env.PATH,
          HOME: dir,
          ANODE_DATA_DIR: join(dir, 'data'),
          ANODE_CONFIG: join(dir, 'config.json'),
          OPENAI_BASE_URL: url,
          OPENAI_API_KEY: 'test',
        },
        signal: new AbortController().signal,
        mode: 'unrestricted',
        addDirs: [],
        features,
        terminal: undefined,
        model: 'openai/scripted',
        prompt: thread === undefined ? 'go' : undefined,
        ...(thread !== undefined && { resume: { thread, fork: false } }),
        ask: async () => ({ allow: false, why: 'nobody is here' }),
        caps: {},
        show: () => undefined,
        inbox: async () => [],
        note: () => undefined,
      }
      return runHeadless(options)
    },
    written: () =>
      existsSync(join(dir, 'log')) ? readFileSync(join(dir, 'log'), 'utf8').split('\n').length - 1 : 0,
  }
}

/** Runs the cases at most eight at a time and returns how many survived. */
async function survivors<T>(cases: readonly T[], survive: (one: T) => Promise<boolean>): Promise<number> {
  const left = [...cases]
  let survived = 0
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) if (await survive(one)) survived++
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return survived
}

async function withServer<T>(script: Parameters<typeof serveModel>[0], use: (url: string) => Promise<T>) {
  const server = await serveModel(script)
  try {
    return await use(server.url)
  } finally {
    await server.close()
  }
}

const stride = long ? 16 : 1_024
const first = long ? 0 : Math.floor(rng(seed)() * 512)
const cuts = Array.from({ length: Math.floor((whole - first) / stride) }, (_, i) => first + i * stride)

test('a response cut once at any byte is requested again, and its call runs once', async () => {
  expect(whole).toBeGreaterThan(4096)
  const survived = await survivors(cuts, async (at) => {
    const { go, written } = place()
    let cut = false
    const end = await withServer(
      (received) => {
        if (answered(received)) return say
        if (cut) return act
        cut = true
        return { ...act, fault: { at, how: at % 32 === 0 ? 'reset' : 'close' } }
      },
      async (url) => (await go(url)).end,
    )
    return end.end === 'done' && end.text === 'written' && written() === 1
  })
  lines.push(`agent stream cut once (seed ${seed}): ${survived}/${cuts.length}`)
  expect(survived).toBe(cuts.length)
})

test('a response that is always cut runs nothing, and the thread continues when the connection works again', async () => {
  expect(complete).toBeGreaterThan(4096)
  const places = cuts.filter((at, i) => at < complete && i % (long ? 8 : 2) === 0)
  const survived = await survivors(places, async (at) => {
    const { go, written } = place()
    const broken = await withServer(() => ({ ...act, fault: { at, how: 'close' } }), go)
    const nothing = written() === 0 && broken.end.end === 'failed'
    const end = await withServer(
      (received) => (answered(received) ? say : act),
      async (url) => (await go(url, broken.thread)).end,
    )
    return nothing && end.end === 'done' && written() === 1
  })
  lines.push(`agent stream cut for ever, then resumed: ${survived}/${places.length}`)
  expect(survived).toBe(places.length)
})

test('a silent response is cancelled and requested again', async () => {
  const places = [0, 1, Math.floor(whole / 2), whole - 20]
  const survived = await survivors(places, async (at) => {
    const { go, written } = place(400)
    let silent = false
    const end = await withServer(
      (received) => {
        if (answered(received)) return say
        if (silent) return act
        silent = true
        return { ...act, fault: { at, how: 'silence' } }
      },
      async (url) => (await go(url)).end,
    )
    return end.end === 'done' && written() === 1
  })
  lines.push(`agent stream silent: ${survived}/${places.length}`)
  expect(survived).toBe(places.length)
})

for (const times of [1, 3, Number.POSITIVE_INFINITY]) {
  const often = times === Number.POSITIVE_INFINITY ? 'for ever' : `${times} times`
  test(`refused ${often} before and after the call: it runs once`, async () => {
    const statuses = [429, 500, 503, 529]
    const survived = await survivors(statuses, async (status) => {
      const { go, written } = place()
      const refusal = { status, headers: { 'retry-after': '0' }, body: '{"error":{"message":"not now"}}' }
      const refused = { before: 0, after: 0 }
      const script = (received: Received): ServedReply => {
        const when = answered(received) ? 'after' : 'before'
        // A cut without end: the call has run, and its response never arrives.
        const most = when === 'before' ? Math.min(times, 3) : times
        return refused[when]++ < most ? refusal : when === 'after' ? say : act
      }
      const ran = await withServer(script, go)
      if (times !== Number.POSITIVE_INFINITY) return ran.end.end === 'done' && written() === 1
      if (ran.end.end !== 'failed' || !ran.end.message.includes('not now') || written() !== 1) return false
      const end = await withServer([say], async (url) => (await go(url, ran.thread)).end)
      return end.end === 'done' && written() === 1
    })
    lines.push(`agent refused ${often}: ${survived}/${statuses.length}`)
    expect(survived).toBe(statuses.length)
  })
}
