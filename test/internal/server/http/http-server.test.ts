// The server over HTTP: rejected requests, accepted requests, and events that are never lost or repeated.

import { readFileSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createUlid } from '../../../../internal/base/ids.ts'
import { listenForClients } from '../../../../internal/server/http/listening-server.ts'
import { runServer } from '../../../../internal/service/server/server-service.ts'
import { giveToken } from '../../../../internal/service/server/token-file.ts'
import {
  readStream,
  type ServerAccess,
  servedData,
  startServer,
  trustServed,
  withinOneSecond,
} from '../../../support/http-server.ts'
import { scratch } from '../../../support/scratch.ts'

const write = { calls: [{ name: 'create_file', args: { path: 'made.txt', content: 'x\n' } }] }
const replies = [write, { text: 'It is made.' }]

it('rejects requests without permission, and starts nothing for them', async () => {
  const at = servedData(replies)
  const server = await startServer(at)
  const run = { body: at.wishes('Make it') }
  const own = `http://127.0.0.1:${server.port}`
  const refusals: [number, Parameters<ServerAccess['ask']>][] = [
    [401, ['/v1/runs', { token: null }]],
    [401, ['/v1/runs', { ...run, token: 'x'.repeat(43) }]],
    [401, ['/v1/runs', { ...run, token: `${server.token.slice(0, 42)}!` }]],
    [401, [`/v1/runs?token=${server.token}`, { token: null }]],
    [421, ['/v1/runs', { ...run, headers: { host: 'evil.example' } }]],
    // a foreign host name that points to this address
    [421, ['/v1/runs', { ...run, headers: { host: `evil.example:${server.port}` } }]],
    [403, ['/v1/runs', { ...run, headers: { origin: 'http://evil.example' } }]],
    [403, ['/v1/runs', { ...run, headers: { origin: 'null' } }]],
    [403, ['/v1/runs', { ...run, headers: { 'sec-fetch-site': 'cross-site' } }]],
    [415, ['/v1/runs', { ...run, headers: { 'content-type': 'application/x-www-form-urlencoded' } }]],
    [415, ['/v1/runs', { ...run, headers: { 'content-type': 'text/plain', origin: own } }]],
    [400, ['/v1/runs', { body: '{' }]],
    [400, ['/v1/runs', { body: { ...at.wishes('x'), approval: 'yolo' } }]],
    [400, ['/v1/runs', { body: { ...at.wishes('x'), workspace: 'relative' } }]],
    [422, ['/v1/runs', { body: { ...at.wishes('x'), profile: 'nobody' } }]],
    [413, ['/v1/runs', { body: `"${'x'.repeat(9 * 1024 * 1024)}"` }]],
    [404, ['/v1/runs/sess_nothing/events', {}]],
    [404, ['/v1/runs/..%2F..%2Fetc/commands', { body: { id: 'a', type: 'say', content: 'x' } }]],
    [404, ['/v1/nothing', {}]],
  ]
  for (const [status, [path, with_]] of refusals) {
    // a rejected body that is not read to its end may close the connection first
    const reply = await server.ask(path, with_).catch(() => undefined)
    if (status !== 413 || reply)
      expect([path, with_?.headers, reply?.status]).toEqual([path, with_?.headers, status])
    if (reply) expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
    if (reply) expect(reply.headers['access-control-allow-origin']).toBeUndefined()
  }
  expect((await server.ask('/v1/runs')).json).toEqual({ runs: [] })
  expect((await server.ask('/healthz', { token: null })).json).toMatchObject({ ok: true })
  for (const file of ['server/token', 'runs/server.sock'])
    expect(statSync(join(at.data, file)).mode & 0o777).toBe(0o600)
  expect(statSync(join(at.data, 'server')).mode & 0o777).toBe(0o700)
})

it('gives each token no more than its scope, and nothing after it expires', async () => {
  const at = servedData(replies)
  await trustServed(at)
  const server = await startServer(at)
  const [read, act, old] = [
    await giveToken(at.data, 'read', 60_000),
    await giveToken(at.data, 'act', 60_000),
    await giveToken(at.data, 'approve', 1),
  ]
  const runs = { body: at.wishes('Make it') }
  expect((await server.ask('/v1/runs', { ...runs, token: read })).status).toBe(403)
  expect(
    (await server.ask('/v1/runs', { body: { ...at.wishes('x'), mode: 'auto' }, token: act })).status,
  ).toBe(403)
  expect((await server.ask('/v1/runs', { token: old })).status).toBe(401)
  const id = createUlid()
  // a repeated request counts once
  const begun = await Promise.all(
    [1, 2].map(() => server.ask('/v1/runs', { body: { ...runs.body, id }, token: act })),
  )
  const thread = begun[0]?.json.thread as string
  expect(begun.map(({ status, json }) => [status, json.thread])).toEqual([
    [201, thread],
    [201, thread],
  ])
  const events = await readStream({ ...server, token: read }, thread, 0, (all) =>
    all.some(({ type }) => type === 'permission.asked'),
  )
  expect(events.some(({ type }) => type === 'permission.asked')).toBe(true)
  const path = `/v1/runs/${thread}`
  const { calls } = await waitingCalls(server, thread)
  const allow = {
    id: 'b',
    type: 'answer_permission',
    call: calls[0],
    answer: { allow: true, scope: 'once', rules: [] },
  }
  for (const token of [read, act])
    expect((await server.ask(`${path}/commands`, { body: allow, token })).status).toBe(403)
  for (const body of [
    { id: 'c', type: 'run_shell', line: 'touch x', tell: false },
    { id: 'd', type: 'set_mode', mode: 'unrestricted' },
  ])
    expect((await server.ask(`${path}/commands`, { body, token: act })).status).toBe(403)
  expect((await server.ask(path, { token: read })).json).toMatchObject({ state: 'waiting' })
  const replies_ = await Promise.all([1, 2].map(() => server.ask(`${path}/commands`, { body: allow })))
  expect(replies_.map(({ json }) => json.ok)).toEqual([true, true])
  const late = await server.ask(`${path}/commands`, { body: { ...allow, id: 'e' } })
  expect(late).toMatchObject({ status: 409, json: { code: 'already_answered' } })
  const all = await readStream(server, thread, 0, (seen) => seen.some(({ type }) => type === 'run.ended'))
  const positions = all.flatMap(({ pos }) => pos ?? [])
  expect(positions).toEqual(positions.map((_, index) => index + 1))
})

/** Returns the ids of the waiting calls, from the snapshot. */
async function waitingCalls(server: ServerAccess, thread: string): Promise<{ calls: string[] }> {
  const { port, token } = server
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`http://127.0.0.1:${port}/v1/runs/${thread}/events?after=100000`, { headers })
  const reader = response.body?.getReader()
  let text = ''
  while (!text.includes('\n\n')) text += new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()
  const { payload } = JSON.parse(text.slice(text.indexOf('{'))) as { payload: { waits: { call: string }[] } }
  return { calls: payload.waits.map(({ call }) => call) }
}

it('shows tools and usage as the commands do', async () => {
  const at = servedData(replies)
  const server = await startServer(at)
  const here = `workspace=${encodeURIComponent(at.cwd)}`
  const read = await giveToken(at.data, 'read', 60_000)
  const { json } = await server.ask(`/v1/tools?${here}&profile=review`)
  const tools = json.tools as { name: string; hidden?: string }[]
  expect(tools.find(({ name }) => name === 'grep')).toMatchObject({ level: 'auto_read', origin: 'native' })
  expect(tools.find(({ name }) => name === 'create_file')?.hidden).toEqual(expect.any(String))
  expect((await server.ask(`/v1/tools/grep?${here}`)).json).toMatchObject({
    name: 'grep',
    inputSchema: { type: 'object', required: ['pattern'] },
  })
  const usage = await server.ask('/v1/usage?by=model&since=2026-01-01', { token: read })
  expect(usage.json).toMatchObject({ by: 'model', since: '2026-01-01T00:00:00.000Z', rows: [] })
  const refusals: [number, string, string?][] = [
    [403, `/v1/tools?${here}`, read],
    [400, '/v1/tools'],
    [400, '/v1/tools?workspace=relative'],
    [422, '/v1/tools?workspace=/nowhere/at/all'],
    [422, `/v1/tools?${here}&profile=nobody`],
    [404, `/v1/tools/nothing?${here}`],
    [400, '/v1/usage?by=colour'],
    [400, '/v1/usage?since=once'],
  ]
  for (const [status, path, token] of refusals)
    expect([path, (await server.ask(path, token === undefined ? {} : { token })).status]).toEqual([
      path,
      status,
    ])
})

it('runs tools for authorized clients, once per id, and forks a conversation', async () => {
  const at = servedData([{ text: 'One.' }])
  await trustServed(at)
  const server = await startServer(at)
  const [read, act] = [await giveToken(at.data, 'read', 60_000), await giveToken(at.data, 'act', 60_000)]
  const use = (name: string, args: object, more: object = {}, token = server.token) =>
    server.ask(`/v1/tools/${name}`, { body: { workspace: at.cwd, args, ...more }, token })
  const seen = await use('read', { path: 'a.txt' }, {}, act)
  expect(seen).toMatchObject({ status: 200, json: { ok: true, tool: 'read' } })
  expect(seen.text).toContain('one')
  expect((await use('read', { path: 'a.txt' }, {}, read)).status).toBe(403)
  const line = { command: 'echo x >> made.txt' }
  expect(await use('bash', line)).toMatchObject({ status: 409, json: { error: { code: 'denied' } } })
  expect((await use('bash', line, { allow: true }, act)).status).toBe(403)
  const twice = await Promise.all([1, 2].map(() => use('bash', line, { allow: true, id: 'once' })))
  expect(twice.map(({ status }) => status)).toEqual([200, 200])
  expect(readFileSync(join(at.cwd, 'made.txt'), 'utf8')).toBe('x\n')
  expect((await use('--help', {})).status).toBe(422)
  expect((await use('nothing', {})).json).toMatchObject({ error: { code: 'unknown_tool' } })
  expect((await use('read', {}, { profile: 'nobody' })).status).toBe(422)
  expect((await use('read', {}, { workspace: 'here' })).status).toBe(400)

  const ended = async (body: object) => {
    const { json } = await server.ask('/v1/runs', { body })
    const { thread } = json as { thread: string }
    await expect
      .poll(async () => (await server.ask(`/v1/runs/${thread}`)).json, { timeout: 15_000 })
      .toMatchObject({ state: 'ended', end: 'done' })
    return thread
  }
  await server.ask('/metrics')
  const thread = await ended(at.wishes('Say one'))
  const fork = await ended({ ...at.wishes('And again'), fork: { thread } })
  expect(fork).not.toBe(thread)
  const events = await readStream(
    server,
    fork,
    0,
    (all) => all.filter(({ type }) => type === 'run.ended').length > 1,
  )
  expect(events.filter(({ type, pos }) => type === 'message' && pos !== undefined)).toHaveLength(4)
  const unknown = { ...at.wishes('x'), fork: { thread: 'sess_0000000000' } }
  expect((await server.ask('/v1/runs', { body: unknown })).status).toBe(422)

  const { text } = await server.ask('/metrics')
  for (const line of [
    'anode_turns_total 2',
    'anode_runs_ended_total{end="done"} 2',
    'anode_run_duration_seconds_count 2',
    'anode_queue{queue="mail"} 0',
    'anode_queue{queue="answers"} 0',
    'anode_http_request_duration_seconds_bucket{le="+Inf"}',
  ])
    expect(text).toContain(line)
})

it('applies the rate limit of a token, counts its requests, and describes itself', async () => {
  const server = await startServer(servedData(replies))
  const many = await withinOneSecond(() =>
    Promise.all(Array.from({ length: 60 }, () => server.ask('/v1/runs'))),
  )
  const statuses = many.map(({ status }) => status).sort()
  expect(statuses).toEqual([...Array(50).fill(200), ...Array(10).fill(429)])
  await expect
    .poll(async () => (await server.ask('/metrics')).text)
    .toMatch(/anode_http_requests_total\{status="429"\} \d+/)
  const { json } = await server.ask('/openapi.json')
  expect(json).toMatchObject({ openapi: '3.1.0' })
  const paths = json.paths as Record<
    string,
    Record<string, { security: { token: string[] }[]; requestBody?: unknown; responses: object }>
  >
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining([
      '/v1/runs',
      '/v1/runs/{thread}/events',
      '/v1/tools/{name}',
      '/v1/usage',
      '/metrics',
    ]),
  )
  expect(paths['/v1/runs']?.post?.security).toEqual([{ token: ['act'] }])
  expect(JSON.stringify(paths['/v1/runs/{thread}/commands']?.post?.requestBody)).toContain(
    'answer_permission',
  )
  const starts = Object.keys(paths).filter((path) => '201' in (paths[path]?.post?.responses ?? {}))
  expect(starts.sort()).toEqual(['/v1/builds', '/v1/research', '/v1/runs', '/v1/studies'])
})

it('is the only server of its data directory, and ends when it is idle', async () => {
  const at = servedData(replies)
  const { place } = at
  const first = await startServer(at)
  const stop = new AbortController()
  const second = runServer({ place, signal: stop.signal, ready: () => undefined })
  await expect(second).rejects.toThrow('a server runs already')
  await first.stop()
  const ready: unknown[] = []
  await runServer({ place, signal: stop.signal, maxIdleMs: 100, ready: (where) => ready.push(where) })
  expect(ready).toMatchObject([{ address: undefined }])
})

it('keeps serving while a thousand connections are silent or send incomplete requests', async () => {
  const handle = async () => new Response('here')
  const socket = join(scratch(), 'server.sock')
  const limits = { maxHeadMs: 300, maxRequestMs: 600 }
  const server = await listenForClients({ socket, port: 0, handle, ...limits })
  const open: Socket[] = []
  onTestFinished(async () => {
    for (const one of open) one.destroy()
    await server.close()
  })
  const begin = (text: string) => {
    const one = connect(server.port as number, '127.0.0.1')
    one.on('error', () => undefined)
    one.write(text)
    open.push(one)
    return one
  }
  const slow = begin('POST /x HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nslow')
  const slowEnds = new Promise((resolve) => slow.resume().once('close', resolve))
  for (let n = 0; n < 1_000; n++) begin(n % 2 ? 'GET / HTTP/1.1\r\nhost: a\r\n' : '')
  const isServed = () =>
    fetch(`http://127.0.0.1:${server.port}/`).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(isServed, { timeout: 8_000, interval: 100 }).toBe(200)
  await slowEnds
})

it('lets the scope act work only in workspaces that the user has used before or trusts', async () => {
  const at = servedData([{ text: 'One.' }])
  const server = await startServer(at)
  const act = await giveToken(at.data, 'act', 60_000)
  const tries = [
    ['/v1/runs', { body: at.wishes('Say one'), token: act }],
    ['/v1/tools/read', { body: { workspace: at.cwd, args: { path: 'a.txt' } }, token: act }],
    [`/v1/tools?workspace=${encodeURIComponent(at.cwd)}`, { token: act }],
    [`/v1/tools/read?workspace=${encodeURIComponent(at.cwd)}`, { token: act }],
  ] as const
  for (const [path, request] of tries) {
    const reply = await server.ask(path, request)
    expect([path, reply.status]).toEqual([path, 403])
    expect(reply.text).toMatch(/has no runs and is not trusted.*anode trust/)
  }
  const begun = await server.ask('/v1/runs', { body: at.wishes('Say one') })
  const state = async () => (await server.ask(`/v1/runs/${begun.json.thread}`)).json
  await expect.poll(state, { timeout: 15_000 }).toMatchObject({ state: 'ended' })
  for (const [path, request] of tries.slice(1)) expect((await server.ask(path, request)).status).toBe(200)
})

it('repeats a response for an id only to the same token and URL', async () => {
  const at = servedData([])
  const server = await startServer(at)
  const other = await giveToken(at.data, 'approve', 60_000)
  const read = (tool: string, path: string, token = server.token) =>
    server.ask(`/v1/tools/${tool}`, { body: { workspace: at.cwd, args: { path }, id: 'same' }, token })
  expect((await read('read', 'a.txt')).text).toContain('one')
  expect((await read('read', 'gone.txt')).text).toContain('one')
  expect((await read('read', 'gone.txt', other)).text).toContain('gone.txt')
  expect((await read('glob', 'gone.txt')).text).not.toContain('one')
})
