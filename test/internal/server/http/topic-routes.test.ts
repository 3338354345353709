// Topics of a run next to its events, over HTTP: permissions, rejected requests, and limits of open streams.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { streamEvents } from '../../../../internal/server/http/event-stream.ts'
import { createServerCounts } from '../../../../internal/server/http/server-counts.ts'
import { giveToken } from '../../../../internal/service/server/token-file.ts'
import { openStore } from '../../../../internal/store/sqlite.ts'
import { type ServedData, servedData, startServer } from '../../../support/http-server.ts'

/**
 * Stores a thread with a truncated result of 3,000,000 characters, a subagent, and the texts
 * of another thread.
 */
async function storedThread({ data, cwd }: ServedData) {
  const store = await openStore(data)
  onTestFinished(() => store.close())
  const begin = (title: string) =>
    store.threads.create({ workspace: cwd, title, profile: 'craft', model: 'builtin/extract' }).id
  const [thread, child, other] = [begin('One'), begin('Child'), begin('Other')]
  const keep = (of: string, text: string) => {
    const whole = store.blobs.put(Buffer.from(text))
    const payload = { call: 'c', tool: 'bash', ok: true, text: `${text.slice(0, 100)} cut`, whole }
    store.threads.append(of, 'r', [{ type: 'tool.result', payload }])
    return whole
  }
  // a character of two UTF-16 units is at the border of two parts
  const text = `${'x'.repeat(1_048_575)}\u{1f600}${'y'.repeat(1_951_423)}`
  const [whole, foreign] = [keep(thread, text), keep(other, 'a secret of another run')]
  store.threads.append(thread, 'r', [
    { type: 'child.started', payload: { thread: child, title: 'Child' } },
    { type: 'run.ended', payload: { end: 'done' } },
  ])
  return { thread, child, other, whole, foreign, text }
}

it('returns a full text in parts to authorized clients, and rejects everything else', async () => {
  const at = servedData([])
  const { thread, child, other, whole, foreign, text } = await storedThread(at)
  const server = await startServer(at)
  const token = await giveToken(at.data, 'read', 60_000)
  const blob = `/v1/runs/${thread}/blobs/${whole}`
  let read = ''
  for (const length of [1_048_576, 1_048_576, 902_848, 0]) {
    const { status, headers, json } = await server.ask(`${blob}?offset=${read.length}`, { token })
    expect([status, headers['content-type'], json.offset, json.total, String(json.text).length]).toEqual([
      ...[200, 'application/json', read.length],
      ...[3_000_000, length],
    ])
    read += String(json.text)
  }
  expect(read === text).toBe(true)
  expect((await server.ask(`${blob}?offset=2&limit=3`, { token })).json).toMatchObject({ text: 'xxx' })
  const topics = `/v1/runs/${thread}/topics`
  const refusals: [number, string, (string | null)?][] = [
    [401, blob, null],
    [401, `${topics}/experiment`, null],
    [404, `/v1/runs/${thread}/blobs/${foreign}`],
    [404, `/v1/runs/${other}/blobs/${whole}`],
    [404, `/v1/runs/sess_nothing/blobs/${whole}`],
    [404, `/v1/runs/${thread}/blobs/${'0'.repeat(64)}`],
    ...[
      '..%2F..%2Fanode.db',
      '%2e%2e%2ftoken',
      `${whole}%00`,
      `tmp%2F${whole}`,
      whole.toUpperCase(),
      '%27',
    ].map((hash): [number, string] => [404, `/v1/runs/${thread}/blobs/${hash}`]),
    ...[
      'offset=-1',
      'offset=1.5',
      'offset=x',
      'offset=1e400',
      'offset=9007199254740993',
      'limit=-1',
      'limit=all',
    ].map((query): [number, string] => [400, `${blob}?${query}`]),
    [404, `${topics}/files`],
    [404, `${topics}/..%2Fevents`],
    [404, '/v1/runs/sess_nothing/topics/experiment'],
    [404, '/v1/runs/..%2F..%2Fetc/topics/study'],
    [400, `${topics}/child`],
    [400, `${topics}/child?thread=`],
    [400, `${topics}/child?thread=${child}&after=-1`],
    [404, `${topics}/child?thread=${thread}`],
    [404, `${topics}/child?thread=${other}`],
    [404, `${topics}/child?thread=..%2F..%2Fetc`],
    [400, `${topics}/study?since=yesterday`],
    [400, `${topics}/study?study=`],
  ]
  for (const [status, path, as = token] of refusals) {
    const reply = await server.ask(path, { token: as })
    expect([path, reply.status, reply.headers['content-type']]).toEqual([
      ...[path, status],
      'application/problem+json',
    ])
    expect(reply.text).not.toContain('secret')
  }
  expect((await server.ask(`${blob}?offset=${Number.MAX_SAFE_INTEGER}`, { token })).json).toMatchObject({
    text: '',
    total: 3_000_000,
  })
  const paths = (await server.ask('/openapi.json')).json.paths as Record<string, { get: unknown }>
  for (const path of ['/v1/runs/{thread}/topics/{kind}', '/v1/runs/{thread}/blobs/{hash}'])
    expect(paths[path]?.get).toMatchObject({
      security: [{ token: ['read'] }],
      parameters: expect.arrayContaining([expect.objectContaining({ name: 'thread', in: 'path' })]),
    })
})

it('reports the end of a subagent, and counts topics among the streams', async () => {
  const at = servedData([])
  const { thread, child } = await storedThread(at)
  const server = await startServer(at)
  const over = await server.ask(`/v1/runs/${thread}/topics/child?thread=${child}`)
  expect([over.status, over.text]).toEqual([200, 'event: end\ndata: {}\n\n'])
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const open = () =>
    fetch(`http://127.0.0.1:${server.port}/v1/runs/${thread}/topics/experiment`, {
      headers: { authorization: `Bearer ${server.token}` },
      signal: stop.signal,
    })
  // a response that the client drops ends together with its stream
  const replies: Response[] = []
  while (replies.length < 64) {
    replies.push(...(await Promise.all(Array.from({ length: 16 }, open))))
    // a token has a limited number of requests per second
    await sleep(400)
  }
  expect(replies.map(({ status }) => status)).toEqual(Array(64).fill(200))
  expect((await open()).status).toBe(503)
  stop.abort()
  const again = () => server.ask(`/v1/runs/${thread}/topics/child?thread=${child}`)
  await expect.poll(async () => (await again()).status, { timeout: 10_000, interval: 200 }).toBe(200)
})

it('produces events only on demand, sends keep-alives, and ends with the client', async () => {
  const counts = createServerCounts()
  const client = new AbortController()
  let made = 0
  let isOver = false
  async function* follow(signal: AbortSignal) {
    try {
      for (; made < 3; made++) yield { kind: 'event', id: made, data: made } as const
      await sleep(60_000, undefined, { signal }).catch(() => undefined)
      throw new Error('it broke')
    } finally {
      isOver = true
    }
  }
  const response = streamEvents({ counts, signal: client.signal }, follow, 20)
  await expect.poll(() => counts.streams).toBe(1)
  await setImmediate()
  expect(made).toBe(0)
  const reader = response.body?.getReader()
  const next = async () => new TextDecoder().decode((await reader?.read())?.value)
  expect([await next(), made]).toEqual(['id: 0\ndata: 0\n\n', 0])
  await next()
  await next()
  expect([await next(), await next()]).toEqual([': \n\n', ': \n\n'])
  // the stream fails after the client has gone, which is not an error of the server
  client.abort()
  await expect.poll(() => [isOver, counts.streams]).toEqual([true, 0])
  await expect(reader?.read()).rejects.toThrow('it broke')
})

it('does not count a stream whose client left before it began', () => {
  const counts = createServerCounts()
  async function* follow() {
    yield { kind: 'event', id: 1, data: 1 } as const
  }
  for (let i = 0; i < 100; i++) streamEvents({ counts, signal: AbortSignal.abort() }, follow, 20)
  expect(counts.streams).toBe(0)
})
