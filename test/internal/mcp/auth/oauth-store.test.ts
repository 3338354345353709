// Tokens on disk: readable by their owner alone, read anew each time, and gone after a logout.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { authFile, createOauthProvider } from '../../../../internal/mcp/auth/oauth-store.ts'
import { serverOf } from '../../../../internal/mcp/config/server-config.ts'
import { scratch } from '../../../support/scratch.ts'

const server = (oauth = {}) =>
  serverOf(
    { name: 's', origin: 'user', path: '/x/mcp.json', settings: { url: 'https://s.example/mcp', oauth } },
    { env: {}, workspace: '/x', home: '/x', trusted: false, defaults: {} },
  )

test('stores tokens for their owner alone, visible to every reader', async () => {
  const dir = scratch()
  const one = createOauthProvider(server(), authFile(dir, 'k'))
  const two = createOauthProvider(server(), authFile(dir, 'k'))
  expect(await one.tokens()).toBeUndefined()
  await one.saveTokens({ access_token: 'a', token_type: 'Bearer' })
  expect(await two.tokens()).toMatchObject({ access_token: 'a' })
  const path = join(dir, 'mcp', 'auth', 'k.json')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(dir, 'mcp', 'auth')).mode & 0o777).toBe(0o700)
  await one.invalidateCredentials?.('tokens')
  expect(await two.tokens()).toBeUndefined()
  authFile(dir, 'k').remove()
  expect(authFile(dir, 'k').read()).toEqual({})
})

test('outside of a login, opens no browser, stores the scopes and requests a login', async () => {
  const file = authFile(scratch(), 'k')
  const auth = createOauthProvider(server(), file)
  const url = new URL('https://login.example/authorize?scope=read+write')
  await expect(auth.redirectToAuthorization(url)).rejects.toMatchObject({
    failure: { code: 'unavailable', hint: 'run `anode mcp login s`' },
  })
  expect(file.read().wanted).toBe('read write')
})

test('uses a client that is already registered', async () => {
  const auth = createOauthProvider(server({ clientId: 'id', clientSecret: 'sh' }), authFile(scratch(), 'k'))
  expect(await auth.clientInformation()).toEqual({ client_id: 'id', client_secret: 'sh' })
})
