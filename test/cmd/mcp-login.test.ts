// `anode mcp login`: the URL, the browser, the token on disk, its refresh, and logout.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { world } from '../support/anode.ts'
import { live } from '../support/live.ts'
import { guardedServer } from '../support/oauth-server.ts'

test('logs in, calls, refreshes and logs out', async () => {
  const server = await guardedServer()
  const at = world()
  onTestFinished(() => at.remove())
  at.put('../.config/anode/mcp.json', JSON.stringify({ mcpServers: { web: { url: server.url } } }))
  const secret = () => at.anode(['tools', 'use', 'mcp__web__secret', '--allow-non-read'])

  const before = await at.anode(['mcp', 'tools'])
  expect(before).toMatchObject({
    code: 1,
    err: expect.stringMatching(/web: the MCP server web wants a login/),
  })

  const going = live(at, ['mcp', 'login', 'web'], { HOME: join(at.dir, '..') })
  const [address] = await going.until(/http:\S+\/authorize\S+/, 'err')
  const redirect = new URL(address).searchParams.get('redirect_uri') ?? ''
  expect(redirect).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  // a request with a wrong state is ignored
  expect((await fetch(`${redirect}?code=x&state=wrong`)).status).toBe(404)
  expect(await (await fetch(address)).text()).toMatch(/go back to the terminal/)
  expect(await going.done).toMatchObject({ code: 0, out: 'logged in to web\n' })

  const dir = join(at.data, 'mcp', 'auth')
  const [name = ''] = readdirSync(dir)
  expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(dir, name), 'utf8')).not.toContain('verifier')
  expect((await at.anode(['mcp', 'tools', 'web'])).code).toBe(0)
  expect(await secret()).toMatchObject({ code: 0, out: 'it is 42\n' })
  expect((await at.anode(['mcp', 'login', 'web'])).out).toMatch(/lets you in without a new login/)

  server.expire()
  expect(await secret()).toMatchObject({ code: 0, out: 'it is 42\n' })
  expect(server.given).toEqual({ code: 1, refresh: 1 })

  expect((await at.anode(['mcp', 'logout', 'web', '--yes'])).out).toBe('logged out of web\n')
  const after = await secret()
  expect(after.code).toBe(2)
  expect(after.err).toMatch(/wants a login\nrun `anode mcp login web`/)
})
