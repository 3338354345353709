// The shared count of a provider's rate limit: over processes, over crashes, and with wrong clocks and files.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { awaitRateLimit, learnRateLimit } from '../../../../internal/model/limits/rate-bucket.ts'
import { pickModel } from '../../../../internal/model/model-choice.ts'
import { limitsLearned } from '../../../../internal/model/wire/endpoint-client.ts'
import { ask } from '../../../support/ask-model.ts'
import { serveModel } from '../../../support/model-server.ts'
import { removeTree } from '../../../support/removal.ts'
import { root } from '../../../support/sources.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'anode-rate-'))
  file = join(dir, 'p.limits')
})
afterEach(() => removeTree(dir))

const told = (remaining: number, reset = '300ms', limit = 3) => ({
  'x-ratelimit-limit-requests': String(limit),
  'x-ratelimit-remaining-requests': String(remaining),
  'x-ratelimit-reset-requests': reset,
})

const never = new AbortController().signal

/** Returns the milliseconds until a request may be sent, and the notices about them. */
async function pass(now?: () => number, signal = never) {
  const said: number[] = []
  const began = performance.now()
  await awaitRateLimit(file, signal, (ms) => said.push(ms), now)
  return { ms: performance.now() - began, said }
}

test('uses the remaining requests, then waits for the reset and reports the wait', async () => {
  await learnRateLimit(file, 200, told(2, '2s'))
  expect((await pass()).said).toEqual([])
  expect((await pass()).said).toEqual([])
  const { ms, said } = await pass()
  expect(said).toHaveLength(1)
  expect(said[0]).toBeGreaterThan(100)
  expect(ms).toBeGreaterThan(100)
  expect(ms).toBeLessThan(20_000)
})

test('after the reset, waiting requests are sent in sequence once all remaining ones are under way', async () => {
  await learnRateLimit(file, 200, told(0, '1200ms'))
  const passed: number[] = []
  const pending = Array.from({ length: 5 }, () => pass().then(() => passed.push(Date.now())))
  await Promise.all(pending)
  const [, , third = 0, fourth = 0, fifth = 0] = passed.sort((a, b) => a - b)
  // without a response, the others are sent one per second
  expect(fourth - third).toBeGreaterThan(800)
  expect(fifth - fourth).toBeGreaterThan(800)
})

test('a response of the next interval that arrives early counts once the interval starts', async () => {
  const soon = Date.now() + 1_000
  const later = soon + 40_000
  await learnRateLimit(file, 200, told(0, '1s'), soon - 1_000)
  await learnRateLimit(file, 200, told(1, '41s'), soon - 1_000)
  await learnRateLimit(file, 200, told(2, '41s'), soon - 1_000)
  await pass()
  expect(Date.now()).toBeGreaterThanOrEqual(soon)
  const stop = new AbortController()
  const said: number[] = []
  const waiting = awaitRateLimit(file, stop.signal, (ms) => {
    said.push(ms)
    stop.abort(new Error('it waits'))
  })
  await expect(waiting).rejects.toThrow('it waits')
  expect(said[0]).toBeLessThanOrEqual(later - soon)
  expect(said[0]).toBeGreaterThan(10_000)
})

/** Returns the stored limits. */
const storedLimits = () => JSON.parse(readFileSync(file, 'utf8')).limits

test('a refusal without a limit pauses requests, and is forgotten after a minute', async () => {
  await learnRateLimit(file, 429, { 'retry-after': '2' })
  expect((await pass()).said[0]).toBeGreaterThan(100)
  // one request after the other for a while, because the provider has just refused one
  expect(storedLimits()).toMatchObject({ requests: { limit: 1 } })
  const minuteAgo = Date.now() - 61_000
  const past = JSON.parse(readFileSync(file, 'utf8').replace(/"forgetAt":\d+/, `"forgetAt":${minuteAgo}`))
  writeFileSync(file, JSON.stringify(past))
  await pass()
  expect(storedLimits()).toEqual({})
})

test('a refusal without a limit keeps the limit that the provider stated', async () => {
  await learnRateLimit(file, 200, told(9, '1s', 12))
  await learnRateLimit(file, 429, {})
  expect(storedLimits()).toMatchObject({ requests: { limit: 12 } })
})

test('a refusal whose text alone names the wait pauses all requests with the key', async () => {
  const body = '{"error":{"message":"Rate limit reached. Please try again in 400s."}}'
  const server = await serveModel([{ status: 429, body }])
  const env = { ANODE_DATA_DIR: dir, HOME: dir }
  const config = { providers: { lab: { baseUrl: server.url, window: 9000, maxConcurrent: 9 } } }
  const { model } = await pickModel('lab/m', { env, cwd: dir, config })
  await ask(model)
  await server.close()
  // the limits are still being written
  const folder = join(dir, 'endpoints')
  const names = () =>
    (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.endsWith('.limits'))
  await expect.poll(names).toHaveLength(1)
  file = join(folder, names()[0] as string)
  await limitsLearned(file)
  const stop = new AbortController()
  const said: number[] = []
  const waiting = awaitRateLimit(file, stop.signal, (ms) => {
    said.push(ms)
    stop.abort(new Error('it waits'))
  })
  await expect(waiting).rejects.toThrow('it waits')
  expect(said[0]).toBeGreaterThan(10_000)
})

test('a cancel ends the wait', async () => {
  await learnRateLimit(file, 200, told(0, '50s'))
  const stop = new AbortController()
  const waiting = pass(Date.now, stop.signal)
  setTimeout(() => stop.abort(new Error('enough')), 30)
  await expect(waiting).rejects.toThrow('enough')
})

test.each([
  [
    'a clock that was set back',
    JSON.stringify({
      at: Date.now() + 9e6,
      limits: { requests: { limit: 1, statements: [{ remaining: 0, resetAt: Date.now() + 9e6 }] } },
      sent: [],
    }),
  ],
  [
    'a reset in a hundred years',
    JSON.stringify({
      at: Date.now(),
      limits: { requests: { limit: 1, statements: [{ remaining: 0, resetAt: 5e12 }] } },
      sent: [],
    }),
  ],
  [
    'requests of a process that was killed long ago',
    JSON.stringify({
      at: Date.now() - 70_000,
      limits: { requests: { limit: 1, statements: [{ remaining: 1, resetAt: Date.now() - 1 }] } },
      sent: [Date.now() - 70_000],
    }),
  ],
  ['a torn file', '{"at":17'],
  ['other JSON', '[1,{"limits":3}]'],
  [
    'a limit of nothing',
    JSON.stringify({
      at: Date.now(),
      limits: { requests: 5, tokens: { limit: 0, statements: [{ remaining: 0 }, 7, null] } },
      sent: 'x',
    }),
  ],
])('%s blocks no request', async (_, text) => {
  writeFileSync(file, text)
  expect((await pass()).ms).toBeLessThan(10_000)
})

test('no request waits if the file is not writable', async () => {
  mkdirSync(join(dir, 'x'))
  writeFileSync(join(dir, 'plain'), '')
  file = join(dir, 'plain', 'p.limits')
  await learnRateLimit(file, 200, told(0))
  expect((await pass()).said).toEqual([])
})

/** Starts a provider that allows `limit` requests per interval and rejects the others. */
async function countingProvider(limit: number, windowMs: number) {
  const seen: number[] = []
  let refused = 0
  let began = Date.now()
  let used = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const now = Date.now()
      if (now - began >= windowMs) [began, used] = [now, 0]
      used++
      const reset = `${began + windowMs - now}ms`
      const headers = told(Math.max(0, limit - used), reset, limit)
      if (used > limit) {
        refused++
        response.writeHead(429, headers).end('{"error":{"message":"too many requests"}}')
        return
      }
      seen.push(now)
      const chunk = { choices: [{ delta: { content: 'ok' }, finish_reason: 'stop' }] }
      response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' })
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { url, seen, refused: () => refused, close: () => server.close() }
}

/** Returns a program that sends one request after the other, and prints the end of each. */
const client = (url: string, memoryPath: string) => `
  import { createChatModel } from './internal/model/openai.ts'
  const endpoint = { baseUrl: ${JSON.stringify(url)}, headers: {}, idleMs: 9000, memoryPath: ${JSON.stringify(memoryPath)} }
  const model = createChatModel({ id: 'lab/m', provider: 'lab', model: 'm', endpoint, quirks: {}, window: 9000, keys: [] })
  const said = []
  for (let n = 0; n < Number(process.argv[2]); n++)
    for await (const event of model.stream({ messages: [{ role: 'user', content: 'x' }], tools: [] }, new AbortController().signal))
      if (event.type === 'text' || event.type === 'failure') said.push(event.text ?? event.failure.message)
  console.log(said.join(' '))`

async function runClient(program: string, requests: number): Promise<string> {
  const child = spawn(process.execPath, [program, String(requests)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  await once(child, 'close')
  return out.trim()
}

describe('over processes', () => {
  test('two processes share the limit of one provider', async () => {
    const provider = await countingProvider(4, 700)
    const program = join(dir, 'client.mjs')
    const stdin = {
      contents: client(provider.url, join(dir, 'lab')),
      resolveDir: root,
      loader: 'ts' as const,
    }
    await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile: program })
    // one response contains the limit
    const [first] = await Promise.all([runClient(program, 1)])
    expect(first).toBe('ok')
    const ends = await Promise.all([runClient(program, 6), runClient(program, 6)])
    provider.close()
    expect(ends).toEqual(['ok ok ok ok ok ok', 'ok ok ok ok ok ok'])
    expect(provider.seen).toHaveLength(13)
    expect(provider.refused()).toBe(0)
  })
})

test('the user sees a wait, and the response follows', async () => {
  const server = await serveModel([
    { text: 'loads what a first request needs, which may take longer than the wait' },
    { text: 'a', headers: told(0, '1900ms') },
    { text: 'b', headers: told(2) },
  ])
  const env = { ANODE_DATA_DIR: dir, HOME: dir }
  const config = { providers: { lab: { baseUrl: server.url, window: 9000, maxConcurrent: 9 } } }
  const { model } = await pickModel('lab/m', { env, cwd: dir, config })
  await ask(model)
  await ask(model)
  const { events } = await ask(model)
  await server.close()
  // the limits of the last response are still being written
  const limits = readdirSync(join(dir, 'endpoints')).filter((name) => name.endsWith('.limits'))
  for (const name of limits) await limitsLearned(join(dir, 'endpoints', name))
  expect(events.find(({ type }) => type === 'notice')).toMatchObject({
    code: 'rate_limit_wait',
    text: expect.stringMatching(/^the rate limit of lab is used up: waiting [12] s$/),
  })
  expect(events.at(-1)).toMatchObject({ type: 'end' })
  expect((server.requests[2]?.at ?? 0) - (server.requests[1]?.at ?? 0)).toBeGreaterThan(700)
})
