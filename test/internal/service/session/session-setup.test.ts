// The key of a provider: it is stored only after a real server has accepted it, and sent to no other server.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openLocalService } from '../../../../internal/service/session/local-service.ts'
import { type ServedReply, serveModel } from '../../../support/model-server.ts'
import { scratchWith } from '../../../support/scratch.ts'

const key = 'sk-this-is-a-secret-4711'

async function saveKey(reply: ServedReply, entered = key) {
  const server = await serveModel([reply])
  onTestFinished(() => server.close())
  const home = scratchWith({
    'config/anode/config.json': '{\n  // mine\n  "ui": {"theme": "dark"}\n}\n',
    'work/a.md': '# A\n',
  })
  const env = { HOME: home, ANODE_DATA_DIR: join(home, 'data'), XDG_CONFIG_HOME: join(home, 'config') }
  const own = { ...env, PATH: process.env.PATH, OPENAI_BASE_URL: server.url }
  const service = await openLocalService({
    cwd: join(home, 'work'),
    env: own,
    addDirs: [],
    note: () => undefined,
  })
  onTestFinished(() => service.close())
  const saved = join(home, 'config/anode/keys.json')
  return {
    saved,
    reply: await service.saveProvider?.({ provider: 'openai', key: entered }),
    server,
    home,
    env,
  }
}

it('stores an accepted key readable only for the user, and reports the file', async () => {
  const { reply, server, home, saved } = await saveKey({ text: '1 2 3' })
  expect(reply).toMatchObject({ ok: true })
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
  expect((reply as { message: string }).message).toContain(`kept in ${saved}`)
  expect(readFileSync(saved, 'utf8')).toContain(key)
  expect(statSync(saved).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(home, 'config/anode/config.json'), 'utf8')).toContain('// mine')
})

it('stores no key that the server rejects, and does not repeat it', async () => {
  const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${key}` } })
  const { reply, saved } = await saveKey({ status: 401, body })
  expect(reply).toMatchObject({ ok: false, code: 'key_refused' })
  expect(JSON.stringify(reply)).not.toContain(key)
  expect(existsSync(saved)).toBe(false)
})

it('follows no redirect to another server with the key', async () => {
  const other = await serveModel([{ text: '1 2 3' }])
  onTestFinished(() => other.close())
  for (const status of [301, 302, 303, 307, 308]) {
    const headers = { location: `${other.url}/chat/completions` }
    const { reply, saved } = await saveKey({ status, headers, body: '' })
    expect(reply, String(status)).toMatchObject({ ok: false, code: 'key_refused' })
    expect(existsSync(saved)).toBe(false)
  }
  expect([...other.requests, ...other.probes]).toEqual([])
})

it.each([
  ['no server of models', { status: 404, body: 'Not Found' }],
  ['a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Hello</h1>' }],
  ['an answer without an end', { text: '1 2 3', fault: { at: 40, how: 'close' as const } }],
  ['a server that is broken', { status: 500, body: `{"error": "no ${key}"}` }],
])('stores no key that was tried at %s', async (_, answer: ServedReply) => {
  const { reply, saved } = await saveKey(answer)
  expect(reply).toMatchObject({ ok: false })
  expect(JSON.stringify(reply)).not.toContain(key)
  expect(existsSync(saved)).toBe(false)
})

it.each([
  ['blanks around it', ` ${key}\n`],
  ['line ends and a tab', `\r\n\t${key}\r\n`],
])('stores a key that was copied with %s', async (_, entered) => {
  const { reply, server, saved } = await saveKey({ text: '1 2 3' }, entered)
  expect(reply).toMatchObject({ ok: true })
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
  expect(JSON.parse(readFileSync(saved, 'utf8'))).toEqual({ openai: key })
})

it.each([
  ['nothing', ''],
  ['blanks', '   \n'],
  ['a few letters', 'sk-1'],
  ['a blank within', 'sk-this-is a-secret-4711'],
  ['a line end within', 'sk-this-is\na-secret-4711'],
  ['a header behind it', `${key}\r\nX-Other: 1`],
  ['a control', `${key}\x07`],
  ['an escape', `\x1b[31m${key}`],
  ['letters outside ASCII', `${key}é`],
  ['a zero', `${key}\0`],
])('sends no request for %s', async (_, entered) => {
  const { reply, server, saved } = await saveKey({ text: '1 2 3' }, entered)
  expect(reply).toMatchObject({ ok: false, message: expect.stringContaining('invalid key') })
  expect(JSON.stringify(reply)).not.toContain('secret')
  expect([...server.requests, ...server.probes]).toEqual([])
  expect(existsSync(saved)).toBe(false)
})

it('waits ten seconds for a server that does not respond', { timeout: 60_000 }, async () => {
  const since = Date.now()
  const { reply } = await saveKey({ delayMs: 40_000, text: 'too late' })
  expect(reply).toMatchObject({ ok: false })
  const took = Date.now() - since
  expect(took).toBeGreaterThan(9_000)
  expect(took).toBeLessThan(25_000)
})
