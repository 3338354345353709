// Percent signs in user names and passwords of URLs, as their users of the network read them.
import { urlToHttpOptions } from 'node:url'
import { expect, test } from 'vitest'
import { decodePercent, encodeCredentials, hideUrlSecrets } from '../../../internal/base/url-credentials.ts'
import { type DeclaredServer, serverOf } from '../../../internal/mcp/config/server-config.ts'
import { findEndpoint } from '../../../internal/model/provider-endpoint.ts'
import { setConfigValue } from '../../../internal/runtime/workspace/config-files.ts'
import { openSessionRelay } from '../../../internal/service/features/session-relay.ts'
import { readExposure } from '../../../internal/service/server/server-exposure.ts'
import { parseRedisAddress } from '../../../internal/study/redis/address.ts'
import { scratch } from '../../support/scratch.ts'

const rows = [
  ['', ''],
  ['secret', 'secret'],
  ['50%off', '50%off'],
  ['%', '%'],
  ['a%40b', 'a@b'],
  ['a%40b%', 'a%40b%'],
  ['%ff', '%ff'],
  ['%E6%9C%AC', '本'],
  ["it's+%2B", "it's++"],
] as const

test.each(rows)('%j is decoded as %j', (text, decoded) => {
  expect(decodePercent(text)).toBe(decoded)
})

test.each(rows.slice(1))('Node sends the password %j as %j', (text, decoded) => {
  const url = new URL(`https://user:${text}@host/v1`)
  encodeCredentials(url)
  expect(urlToHttpOptions(url).auth).toBe(`user:${decoded}`)
  const named = new URL(`https://${text}:secret@host/v1`)
  encodeCredentials(named)
  expect(urlToHttpOptions(named).auth).toBe(`${decoded}:secret`)
})

test('a URL without user and password stays the same', () => {
  const url = new URL('https://host/v1?a=50%off')
  encodeCredentials(url)
  expect(url.href).toBe('https://host/v1?a=50%off')
})

test.each([
  ['https://host', 'https://host'],
  ['https://host:8080/v1', 'https://host:8080/v1'],
  ['https://host:99999/v1/a:b', 'https://host:99999/v1/a:b'],
  ['http://[::1]:80/v1', 'http://[::1]:80/v1'],
  ['localhost:11434', 'localhost:11434'],
  ['notaurl', 'notaurl'],
  ['', ''],
  ['https://user:x@host/v1', 'https://[secret]@host/v1'],
  ['https://user:x', 'https://user:[secret]'],
  ['https://host/v1?api_key=x', 'https://host/v1?[secret]'],
  ['https://user:x@host?a=b#c', 'https://[secret]@host?[secret]'],
  ['https://host?mail=a@b', 'https://[secret]'],
])('%s is shown as %s', (text, shown) => {
  expect(hideUrlSecrets(text)).toBe(shown)
})

const secrets = ['s3cret', 's3/cret', 's3@cret', 's3:cret', '50%s3cret', 's3?cret', 's3#cret', '8/s3cret']
const schemes = ['', 'https://', 'http:/', 'gopher://', 'redis://', 'ht tp://']
const places: ((secret: string) => string)[] = [
  (secret) => `user:${secret}@host/v1`,
  (secret) => `:${secret}@host:6379/0`,
  (secret) => `${secret}@host`,
  (secret) => `user:${secret}@/v1`,
  (secret) => `user:${secret}@host:99999/v1`,
  (secret) => `host:99999/v1?api_key=${secret}`,
  (secret) => `host/v1?mail=a@b&token=${secret}`,
  (secret) => `user:a${secret.replace('@', '')}`,
]
const texts = schemes.flatMap((scheme) =>
  places.flatMap((place) => secrets.map((secret) => scheme + place(secret))),
)

const declared = (url: string): DeclaredServer => ({
  name: 'files',
  origin: 'user',
  path: '/home/mcp.json',
  settings: { url, type: 'http', args: [], env: {}, headers: {} } as unknown as DeclaredServer['settings'],
})

/** Everything that takes an address from a user, and may refuse it. */
const takers: Record<string, (text: string) => unknown> = {
  'the base URL of a model': (baseUrl) => findEndpoint('lab/x', {}, { lab: { baseUrl } }),
  'a variable for a base URL': (address) => findEndpoint('openai/x', { OPENAI_BASE_URL: address }, {}),
  'anode config set': (text) =>
    setConfigValue({ ANODE_CONFIG: `${scratch()}/c.json` }, 'providers.lab.baseUrl', text),
  'an engine': parseRedisAddress,
  'an MCP server': (url) =>
    serverOf(declared(url), { env: {}, workspace: '/work', home: '/home', trusted: true } as never),
  'a proxy': (behindProxy) => readExposure({ behindProxy }),
  'a relay': (url) =>
    openSessionRelay({ url, secret: 'x'.repeat(32) }, { workspace: '/work', env: {} }, {} as never),
}

test.each(Object.keys(takers))('the error about %s contains no secret of an address', async (name) => {
  let refused = 0
  for (const text of texts) {
    const error = await Promise.resolve(text)
      .then(takers[name])
      .then(
        () => undefined,
        (thrown: Error & { hint?: string }) => thrown,
      )
    if (!error) continue
    refused++
    const said = `${error.message} ${error.hint ?? ''}`
    expect([text, said]).not.toEqual([text, expect.stringMatching(/s3|(?<!\[se)cret/)])
  }
  expect(refused).toBeGreaterThan(0)
})
