// MCP over HTTP with the official client in both revisions, and the requests that the server rejects.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createHttpSessions } from '../../../internal/mcp-server/http-sessions.ts'
import type { McpSurface } from '../../../internal/mcp-server/surface.ts'
import { giveToken } from '../../../internal/service/server/token-file.ts'
import { ask, withinOneSecond } from '../../support/http-server.ts'
import { mcpWorkspace } from '../../support/mcp-client.ts'
import { connectOverHttp, serveOverHttp } from '../../support/mcp-http.ts'

const textOf = ({ content }: CallToolResult) =>
  content.map((part) => ('text' in part ? part.text : '')).join('')
const write = { name: 'create_file', arguments: { path: 'b.txt', content: 'new\n' } }

describe.each(['modern', 'legacy'] as const)('in the %s revision', (era) => {
  it('reads, and asks the user through the client before a write', async () => {
    const place = mcpWorkspace()
    const server = await serveOverHttp(place)
    const asked: string[] = []
    const client = await connectOverHttp(server, era, ({ message }) => {
      asked.push(message)
      return { action: 'accept', content: { decision: 'once' } }
    })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('read')
    const read = await client.callTool({ name: 'read', arguments: { path: 'a.txt' } })
    expect(textOf(read as CallToolResult)).toContain('two')
    expect(await client.callTool(write)).not.toMatchObject({ isError: true })
    expect(readFileSync(join(place.dir, 'b.txt'), 'utf8')).toBe('new\n')
    expect(asked).toEqual([expect.stringContaining('Allow create_file?')])
  })

  it('denies a call that needs approval if the client has no user', async () => {
    const place = mcpWorkspace()
    const client = await connectOverHttp(await serveOverHttp(place), era)
    expect(await client.callTool(write)).toMatchObject({ isError: true })
    expect(existsSync(join(place.dir, 'b.txt'))).toBe(false)
  })
})

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
}
const accept = { accept: 'application/json, text/event-stream' }

it('rejects requests without permission, too large requests, and unknown ones', async () => {
  const place = mcpWorkspace()
  const { port, token, data } = await serveOverHttp(place)
  const send = (with_: Parameters<typeof ask>[2], path = '/mcp') =>
    ask(port, path, { token, body: initialize, ...with_, headers: { ...accept, ...with_.headers } })
  const act = await giveToken(data, 'act', 60_000)
  const late = await giveToken(data, 'approve', 1)
  const refusals: [number, Parameters<typeof ask>[2], string?][] = [
    [401, { token: null }],
    [401, { token: 'x'.repeat(43) }],
    [401, { token: late }],
    [403, { token: act }],
    [403, { headers: { origin: 'http://evil.example' } }],
    [403, { headers: { origin: 'null' } }],
    [403, { headers: { 'sec-fetch-site': 'cross-site' } }],
    [421, { headers: { host: `evil.example:${port}` } }],
    [415, { headers: { 'content-type': 'text/plain' } }],
    [404, {}, '/elsewhere'],
    [404, { headers: { 'mcp-session-id': 'somebody' } }],
    [400, { body: '{' }],
    [400, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }],
  ]
  for (const [status, with_, path] of refusals)
    expect([with_, (await send(with_, path)).status]).toEqual([with_, status])
  const large = await send({ body: `"${'x'.repeat(9 * 1024 * 1024)}"` }).catch(() => undefined)
  if (large) expect(large.status).toBe(413)
})

it('limits the number of sessions, and closes those that clients end', async () => {
  const { port, data } = await serveOverHttp(mcpWorkspace())
  const tokens = await Promise.all([1, 2].map(() => giveToken(data, 'approve', 60_000)))
  const open = (n: number) =>
    ask(port, '/mcp', { token: tokens[n % 2] as string, body: initialize, headers: accept })
  const opened = await Promise.all(Array.from({ length: 64 }, (_, n) => open(n)))
  expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]))
  const token = await giveToken(data, 'approve', 60_000)
  const again = () => ask(port, '/mcp', { token, body: initialize, headers: accept })
  expect((await again()).status).toBe(503)
  const id = String(opened[0]?.headers['mcp-session-id'])
  const headers = { ...accept, 'mcp-session-id': id }
  expect((await ask(port, '/mcp', { token, method: 'DELETE', headers })).status).toBe(200)
  expect((await ask(port, '/mcp', { token, method: 'DELETE', headers })).status).toBe(404)
  expect((await again()).status).toBe(200)
})

it('applies the rate limit of a token', async () => {
  const { port, token } = await serveOverHttp(mcpWorkspace())
  const many = await withinOneSecond(() =>
    Promise.all(Array.from({ length: 60 }, () => ask(port, '/mcp', { token, body: {} }))),
  )
  expect(many.filter(({ status }) => status === 429)).toHaveLength(10)
})

/** A surface without tools, whose resources are their addresses. */
const emptySurface = {
  version: '0',
  instructions: '',
  tools: () => [],
  resources: async () => [],
  prompts: async () => [],
  read: async (uri: string) => ({ mimeType: 'text/plain', text: uri }),
} as unknown as McpSurface

it.each<[string, (disconnect: () => void, answer: () => Promise<Response>) => Promise<unknown>]>([
  ['before it is answered', (disconnect, answer) => Promise.all([disconnect(), answer()])],
  ['while it is answered', (disconnect, answer) => Promise.all([answer(), disconnect()])],
  ['after it is answered', (disconnect, answer) => answer().then(disconnect)],
])('closes an unused session whose client disconnects from a request %s', async (_, run) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const sessions = createHttpSessions(emptySurface)
  onTestFinished(() => sessions.close())
  // the requests are referenced to the end, because a collected request never reports its disconnection
  const requests: Request[] = []
  const prepare = (message: object, session: Record<string, string>) => {
    const connection = new AbortController()
    const headers = { 'content-type': 'application/json', ...accept, ...session }
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers,
      body,
      signal: connection.signal,
    })
    requests.push(request)
    return { disconnect: () => connection.abort(), answer: () => sessions.handle(request) }
  }
  const open = async () => {
    const { answer, disconnect } = prepare(initialize, {})
    const response = await answer()
    await response.text()
    disconnect()
    return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' }
  }
  const session = await open()
  const { disconnect, answer } = prepare({ method: 'notifications/initialized' }, session)
  await run(disconnect, answer)
  vi.setSystemTime(Date.now() + 31 * 60_000)
  await open()
  const late = prepare({ id: 2, method: 'ping' }, session)
  expect((await late.answer()).status).toBe(404)
})

it('reads the other subscribed resources if one fails, and none after the end of the session', async () => {
  const reads = new Map<string, number>()
  const countOf = (uri: string) => reads.get(uri) ?? 0
  let isBroken = false
  const surface: McpSurface = {
    ...emptySurface,
    async read(uri: string) {
      reads.set(uri, countOf(uri) + 1)
      if (isBroken && uri === 'anode://broken') throw new Error('cannot be read')
      return { mimeType: 'text/plain', text: uri }
    },
  }
  const sessions = createHttpSessions(surface)
  onTestFinished(() => sessions.close())
  const send = async (message: object, session: Record<string, string>, method = 'POST') => {
    const headers = { 'content-type': 'application/json', ...accept, ...session }
    const body = method === 'POST' ? JSON.stringify({ jsonrpc: '2.0', ...message }) : undefined
    const response = await sessions.handle(new Request('http://localhost/mcp', { method, headers, body }))
    await response.text()
    return response
  }
  const subscribe = async (...uris: string[]) => {
    const opened = await send(initialize, {})
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    await send({ method: 'notifications/initialized' }, session)
    for (const [i, uri] of uris.entries())
      await send({ id: i + 2, method: 'resources/subscribe', params: { uri } }, session)
    return session
  }
  const growsBy = async (uri: string, count: number) => {
    const before = countOf(uri)
    await expect.poll(() => countOf(uri), { timeout: 20_000 }).toBeGreaterThanOrEqual(before + count)
  }
  const first = await subscribe('anode://broken', 'anode://first')
  await subscribe('anode://second')
  isBroken = true
  await growsBy('anode://first', 2)
  await send({}, first, 'DELETE')
  const before = countOf('anode://first')
  // the reads of the other session are the clock
  await growsBy('anode://second', 3)
  expect(countOf('anode://first')).toBe(before)
})
