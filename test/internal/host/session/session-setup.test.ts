// The key of a provider is kept only when a real server has taken it, and is said to nobody else.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openLocalService } from '../../../../internal/host/session/local-service.ts'
import { type ServedReply, serveModel } from '../../../support/model-server.ts'
import { scratchWith } from '../../../support/scratch.ts'

const key = 'sk-this-is-a-secret-4711'

async function saveKey(reply: ServedReply) {
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
  return { reply: await service.saveProvider?.({ provider: 'openai', key }), server, home, env }
}

it('keeps a key that the server takes, where only the person can read it, and says where', async () => {
  const { reply, server, home } = await saveKey({ text: '1 2 3' })
  expect(reply).toMatchObject({ ok: true })
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
  const [, file = ''] = /kept in (\S+)/.exec((reply as { message: string }).message) ?? []
  expect(readFileSync(file, 'utf8')).toContain(key)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(home, 'config/anode/config.json'), 'utf8')).toContain('// mine')
})

it('keeps none that the server refuses, and does not say it again', async () => {
  const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${key}` } })
  const { reply, env } = await saveKey({ status: 401, body })
  expect(reply).toMatchObject({ ok: false, code: 'key_refused' })
  expect(JSON.stringify(reply)).not.toContain(key)
  expect(existsSync(join(env.ANODE_DATA_DIR, 'keys.json'))).toBe(false)
})

it('waits ten seconds for a server that says nothing', { timeout: 60_000 }, async () => {
  const since = Date.now()
  const { reply } = await saveKey({ delayMs: 40_000, text: 'too late' })
  expect(reply).toMatchObject({ ok: false })
  const took = Date.now() - since
  expect(took).toBeGreaterThan(9_000)
  expect(took).toBeLessThan(25_000)
})
