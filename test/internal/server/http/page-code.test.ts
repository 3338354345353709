// The exchange of a one-time code for a page session, over HTTP.
import { request as requestOnce } from 'node:http'
import { expect, it, vi } from 'vitest'
import { runSocketPath } from '../../../../internal/service/runs/run-record.ts'
import { createLinkCode, linkCodeTtlMs } from '../../../../internal/service/server/link-code.ts'
import { type ServerAccess, servedData, startServer, withinOneSecond } from '../../../support/http-server.ts'

/** Exchanges a code as the page of `server` does. */
function exchange(server: ServerAccess, code: string, changed: Readonly<Record<string, string>> = {}) {
  const headers = { origin: `http://127.0.0.1:${server.port}`, 'x-anode-code': code, ...changed }
  return server.ask('/v1/page/code', { method: 'POST', token: null, headers })
}

it('opens a page with all rights, once', async () => {
  const at = servedData([])
  const server = await startServer(at)
  const code = await createLinkCode(at.data)
  const opened = await exchange(server, code)
  expect(opened.status).toBe(200)
  const [cookie = ''] = [opened.headers['set-cookie'] ?? ''].flat()
  expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(opened.text + cookie).not.toContain(code)
  const headers = { cookie: cookie.split(';')[0] ?? '', 'x-anode-page': String(opened.json['key']) }
  const access = await server.ask('/v1/access', { headers, token: null })
  expect(access.json).toMatchObject({ scopes: ['read', 'act', 'approve'] })
  const again = await exchange(server, code)
  expect(again).toMatchObject({ status: 401, json: { title: expect.stringContaining('used before') } })
  expect(again.headers['set-cookie']).toBeUndefined()
})

it('refuses other pages and programs, and keeps the code valid meanwhile', async () => {
  const at = servedData([])
  const server = await startServer(at)
  const code = await createLinkCode(at.data)
  const refusals: [number, Readonly<Record<string, string>>][] = [
    [403, { origin: 'http://evil.example' }],
    [403, { origin: 'null' }],
    [403, { origin: `http://127.0.0.1:${server.port + 1}` }],
    [403, { origin: `https://127.0.0.1:${server.port}` }],
    [403, { 'sec-fetch-site': 'cross-site' }],
    [403, { 'sec-fetch-site': 'same-site' }],
    [421, { host: `evil.example:${server.port}` }],
  ]
  for (const [status, changed] of refusals)
    expect([changed, (await exchange(server, code, changed)).status]).toEqual([changed, status])
  const bare = { method: 'POST', token: null, headers: { 'x-anode-code': code } }
  expect((await server.ask('/v1/page/code', bare)).status).toBe(403)
  expect((await server.ask('/v1/page/code', { token: null, headers: bare.headers })).status).toBe(404)
  expect(await askSocket(runSocketPath(at.data, 'server'), bare.headers)).toBe(403)
  expect((await exchange(server, code)).status).toBe(200)
})

it('refuses a code after ten minutes, and more than ten attempts in a minute', async () => {
  const at = servedData([])
  const server = await startServer(at)
  const old = await createLinkCode(at.data, Date.now() - linkCodeTtlMs)
  expect((await exchange(server, old)).status).toBe(401)
  await withinOneSecond(async () => {
    vi.setSystemTime(Date.now() + 120_000)
    const code = await createLinkCode(at.data)
    for (let n = 0; n < 10; n++) expect((await exchange(server, 'A'.repeat(43))).status).toBe(401)
    // the right code is refused too: an answer would tell which attempt was right
    expect((await exchange(server, code)).status).toBe(429)
    vi.setSystemTime(Date.now() + 60_000)
    expect((await exchange(server, code)).status).toBe(200)
  })
})

function askSocket(socketPath: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const going = requestOnce({ socketPath, path: '/v1/page/code', method: 'POST', headers }, (reply) => {
      reply.resume()
      resolve(reply.statusCode ?? 0)
    })
    going.on('error', reject)
    going.end()
  })
}
