// Sessions of the page: a cookie is useless without its key, and foreign pages cannot use it.
import { expect, it } from 'vitest'
import { openPageSession, readPageSession } from '../../../../internal/server/http/page-session.ts'
import { giveToken } from '../../../../internal/service/server/token-file.ts'
import { type ServerAccess, servedData, startServer } from '../../../support/http-server.ts'

const write = { calls: [{ name: 'create_file', args: { path: 'made.txt', content: 'x\n' } }] }

/** Returns the headers of a page that has exchanged this token. */
async function pageHeaders(server: ServerAccess, token = server.token): Promise<Record<string, string>> {
  const reply = await server.ask('/v1/page', { method: 'POST', token })
  const [cookie = ''] = [reply.headers['set-cookie'] ?? ''].flat()
  expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(cookie).not.toContain(token)
  const origin = `http://127.0.0.1:${server.port}`
  return { cookie: cookie.split(';')[0] ?? '', 'x-anode-page': String(reply.json['key']), origin }
}

it('admits a cookie with its key, and rejects either of them alone', async () => {
  const at = servedData([write])
  const server = await startServer(at)
  const own = await pageHeaders(server)
  const other = await pageHeaders(server, await giveToken(at.data, 'read', 60_000))
  const run = { body: at.wishes('Make it') }
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(own).filter(([name]) => !names.includes(name)))
  const form = 'application/x-www-form-urlencoded'
  const refusals: [number, string, Parameters<ServerAccess['ask']>[1] & object][] = [
    // headers of a server on another port of this host, or of a form on its page
    [401, '/v1/runs', { headers: without('x-anode-page') }],
    [401, '/v1/runs', { ...run, headers: without('x-anode-page') }],
    [401, '/v1/runs', { body: 'task=x', headers: { ...without('x-anode-page'), 'content-type': form } }],
    [401, '/v1/runs', { headers: without('cookie') }],
    [401, '/v1/runs', { headers: { ...own, 'x-anode-page': other['x-anode-page'] ?? '' } }],
    [401, '/v1/runs', { headers: { ...own, cookie: `${own['cookie']}x` } }],
    [401, '/v1/runs', { headers: { ...own, authorization: `Bearer ${'x'.repeat(43)}` } }],
    [403, '/v1/runs', { ...run, headers: without('origin') }],
    [403, '/v1/page', { method: 'POST', headers: without('origin') }],
    [403, '/v1/runs', { ...run, headers: { ...own, origin: 'http://evil.example' } }],
    [403, '/v1/runs', { ...run, headers: { ...own, origin: `http://127.0.0.1:${server.port + 1}` } }],
    [403, '/v1/runs', { headers: { ...own, 'sec-fetch-site': 'same-site' } }],
    [415, '/v1/runs', { body: 'task=x', headers: { ...own, 'content-type': form } }],
    [421, '/v1/runs', { headers: { ...own, host: `evil.example:${server.port}` } }],
    [421, '/', { headers: { host: `evil.example:${server.port}` } }],
    [421, '/page/x.js', { headers: { host: 'evil.example' } }],
    [404, '/page/..%2f..%2fpackage.json', {}],
    [403, '/v1/runs', { ...run, headers: other }],
    [413, '/v1/runs', { body: `"${'x'.repeat(9 * 1024 * 1024)}"`, headers: own }],
  ]
  for (const [status, path, asked] of refusals) {
    // a rejected body that is not read to its end may close the connection first
    const reply = await server.ask(path, { token: null, ...asked }).catch(() => ({ status: 413 }))
    expect([path, asked.headers, reply.status]).toEqual([path, asked.headers, status])
  }
  const read = await server.ask('/v1/runs', { headers: own, token: null })
  expect(read).toMatchObject({ status: 200, json: { runs: [] } })
  const begun = await server.ask('/v1/runs', { ...run, headers: own, token: null })
  const commands = `/v1/runs/${begun.json['thread']}/commands`
  const answer = { allow: true, scope: 'once', rules: [] }
  const approve = { body: { id: 'a', type: 'answer_permission', call: 'x', answer }, token: null }
  expect((await server.ask(commands, { ...approve, headers: other })).status).toBe(403)
})

it('ends with its token', async () => {
  const at = servedData([])
  const server = await startServer(at)
  const headers = await pageHeaders(server, await giveToken(at.data, 'read', 1_500))
  expect((await server.ask('/v1/access', { headers, token: null })).json).toMatchObject({ scopes: ['read'] })
  const status = async () => (await server.ask('/v1/access', { headers, token: null })).status
  await expect.poll(status, { timeout: 20_000, interval: 200 }).toBe(401)
})

it('can be read only under its original secret, port and key', () => {
  const hash = 'ab'.repeat(32)
  const { cookie, key } = openPageSession('secret', '127.0.0.1:80', hash, false)
  const headers = { host: '127.0.0.1:80', cookie: `a=b; ${cookie.split(';')[0]}`, 'x-anode-page': key }
  const look = (secret: string, changed: object = {}) =>
    readPageSession(secret, new Headers({ ...headers, ...changed }))
  expect(look('secret')).toBe(hash)
  expect(look('other')).toBeUndefined()
  expect(look('secret', { host: '127.0.0.1:81' })).toBeUndefined()
  expect(look('secret', { 'x-anode-page': '' })).toBeUndefined()
  expect(look('secret', { cookie: headers.cookie.replace('abab', 'cdcd') })).toBeUndefined()
})

it('serves a page without inline scripts and styles, and files that never change', async () => {
  const server = await startServer(servedData([]))
  const page = await server.ask('/', { token: null })
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toContain('unsafe')
  expect(page.text).not.toMatch(/<style|style=|<script(?![^>]* src="\/page\/)|https?:/)
  const names = [...page.text.matchAll(/"(\/page\/[\w.-]+)"/g)].map(([, name = '']) => name)
  expect(names.map((name) => name.replace(/^.*\./, '')).sort()).toEqual(['css', 'js'])
  let size = Buffer.byteLength(page.text)
  for (const name of names) {
    const [plain, packed] = await Promise.all([
      server.ask(name, { token: null }),
      server.ask(name, { token: null, headers: { 'accept-encoding': 'gzip, br' } }),
    ])
    expect(plain.headers['cache-control']).toContain('immutable')
    expect(packed.headers['content-encoding']).toBe('br')
    expect(plain.text.length).toBeGreaterThan(1_000)
    size += Number(packed.headers['content-length'])
  }
  expect(size).toBeLessThanOrEqual(120 * 1024)
})
