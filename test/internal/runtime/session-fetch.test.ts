// Which servers of this machine a session may fetch from: the configured search server alone.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSessionFetch } from '../../../internal/runtime/session-fetch.ts'

const servers: Server[] = []
const urls: string[] = []
beforeAll(async () => {
  for (const name of ['search', 'other']) {
    const server = createServer((_, response) => response.end(name))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }
})
afterAll(() => {
  for (const server of servers) server.close()
})

const { signal } = new AbortController()

test.each([
  ['its own path', '/search', true],
  ['no path', '', true],
])('reaches the search server, and no other host, if the setting has %s', async (_, path) => {
  const [search = '', other = ''] = urls
  const fetch = openSessionFetch(`${search}${path}`)
  expect((await fetch({ url: `${search}/search?q=a`, signal })).status).toBe(200)
  await expect(fetch({ url: other, signal })).rejects.toThrow()
})

test.each([undefined, '', 'no url', 'http://'])(
  'reaches no server on this machine with the setting %j',
  async (setting) => {
    for (const url of urls) await expect(openSessionFetch(setting)({ url, signal })).rejects.toThrow()
  },
)
