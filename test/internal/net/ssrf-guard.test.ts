// The guarded fetch: forbidden addresses, real servers that misbehave, and malicious redirects.
import { createServer } from 'node:net'
import { createSecureContext, createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FailureError } from '../../../internal/base/errors.ts'
import type { FetchRequest } from '../../../internal/net/guarded-fetch.ts'
import { createGuardedFetch, type FetchGuardOptions } from '../../../internal/net/ssrf-guard.ts'
import { webServer } from '../../support/web-server.ts'

/** Answers of the stub resolver. Every other name has a public address that is never connected to. */
const names: Readonly<Record<string, readonly string[]>> = {
  'loopback.test': ['127.0.0.1'],
  'private.test': ['10.1.2.3'],
  'home.test': ['192.168.1.1'],
  'link.test': ['169.254.169.254'],
  'shared.test': ['100.64.1.1'],
  'six.test': ['::1'],
  'ula.test': ['fd00::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'nat.test': ['64:ff9b::7f00:1'],
  'sixtofour.test': ['2002:7f00:1::1'],
  'teredo.test': ['2001::1'],
  'mixed.test': ['93.184.216.34', '127.0.0.1'],
  'mixed6.test': ['2606:4700::1111', '::1'],
  'zone.test': ['fe80::1%lo'],
  'odd.test': ['not an address'],
  'azure.test': ['168.63.129.16'],
  'xn--mnchen-3ya.test': ['10.0.0.1'],
}

const astray = `
  http://127.0.0.1/ http://127.1/ http://127.0.1/ http://127.0.0.1./ http://127.8.9.10:8080/ http://0/ http://0.0.0.0/
  http://2130706433/ http://0x7f.1/ http://0x7f000001/ http://0X7F.0.0.0x1/ http://0177.0.0.1/ http://0177.1/
  http://017700000001/ http://0x7f.0.0.01/ http://①②⑦.⓪.⓪.①/ http://127。0。0。1/ http://%31%32%37.0.0.1/
  http://10.0.0.1/ http://167772161/ http://0xa.0.0.1/ http://012.0.0.1/ http://172.16.0.1/ http://172.31.255.255/
  http://192.168.0.1/ http://3232235521/ http://0xc0a80001/ http://169.254.169.254/latest/meta-data/
  http://2852039166/ http://0xa9fea9fe/ http://0251.0376.0251.0376/ http://169.254.43518/ http://169.254.170.2/
  http://100.100.100.200/ http://192.0.0.192/ http://168.63.129.16/ http://224.0.0.1/ http://255.255.255.255/
  http://[::1]/ http://[::]/ http://[0:0:0:0:0:0:0:1]/ http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/
  http://[::127.0.0.1]/ http://[64:ff9b::127.0.0.1]/ http://[2002:7f00:1::]/ http://[2001:0:1::1]/ http://[fe80::1]/
  http://[fe80::1%25lo]/ http://[fd00:ec2::254]/ http://[ff02::1]/ http://[fec0::1]/ http://[::ffff:0:127.0.0.1]/
  http://localhost/ http://LOCALHOST:80/ http://localhost./ http://a.localhost/ http://ｌｏｃａｌｈｏｓｔ/
  http://metadata.google.internal/ http://printer.local/
  http://loopback.test/ http://LOOPBACK.test/ https://private.test/ http://home.test/ http://link.test/
  http://shared.test/ http://six.test/ http://ula.test/ http://mapped.test/ http://nat.test/ http://sixtofour.test/
  http://teredo.test/ http://mixed.test/ http://mixed6.test/ http://zone.test/ http://odd.test/ http://azure.test/
  http://xn--mnchen-3ya.test/ http://münchen.test/
  http://user@93.184.216.34/ http://user:pass@example.com/ http://127.0.0.1@example.com/ http://:pw@example.com/
  sftp://example.com/ file:///etc/passwd data:text/plain,x gopher://example.com/ javascript:1 ws://example.com/
  blob:http://example.com/x http:// http://[::1 http://1.2.3.4.5.6.256/ //example.com/ example.com http://exa%00mple.com/`
  .trim()
  .split(/\s+/)

const stub: NonNullable<FetchGuardOptions['resolve']> = async (host) => names[host] ?? ['93.184.216.34']

async function failureOf(promise: Promise<unknown>) {
  try {
    await promise
  } catch (error) {
    if (error instanceof FailureError) return error.failure
    throw error
  }
  return undefined
}

describe('addresses', () => {
  test(`the table has enough different URLs of addresses that are not public (${astray.length})`, () => {
    expect(astray.length).toBeGreaterThan(60)
    expect(new Set(astray).size).toBe(astray.length)
  })

  test.each(astray)('rejects %s', async (url) => {
    const fetch = createGuardedFetch({ resolve: stub })
    expect(await failureOf(fetch({ url, timeoutMs: 5000 }))).toMatchObject({ code: 'blocked_address' })
  })

  test('an allowed host and port does not allow its neighbors', async () => {
    const server = await webServer((_, response) => response.end('x'))
    const fetch = createGuardedFetch({ allow: ['127.0.0.1:1', 'localhost:80'], resolve: stub })
    for (const url of [server.base, 'http://localhost:81/', 'https://localhost/']) {
      expect(await failureOf(fetch({ url }))).toMatchObject({ code: 'blocked_address' })
    }
    expect(server.seen).toEqual([])
  })

  test('resolves a name once and connects to that address', async () => {
    const server = await webServer((request, response) => response.end(request.headers.host))
    const port = server.place.split(':')[1]
    const asked: string[] = []
    const fetch = createGuardedFetch({
      allow: [`search.test:${port}`],
      resolve: async (host) => {
        asked.push(host)
        return asked.length === 1 ? ['127.0.0.1'] : ['10.0.0.1']
      },
    })
    expect((await fetch({ url: `http://search.test:${port}/` })).body).toBe(`search.test:${port}`)
    expect(asked).toEqual(['search.test'])
  })

  test('a secure connection uses the requested host name, also for a single address', async () => {
    const named: string[] = []
    const server = createTlsServer({
      SNICallback: (name, done) => {
        named.push(name)
        done(null, createSecureContext())
      },
    })
    server.on('tlsClientError', () => undefined)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const place = `search.test:${(server.address() as { port: number }).port}`
    const fetch = createGuardedFetch({ allow: [place], resolve: async () => ['127.0.0.1'] })
    const failure = await failureOf(fetch({ url: `https://${place}/` }))
    await new Promise((done) => server.close(done))
    expect(failure).toMatchObject({ code: 'network' })
    expect(named).toEqual(['search.test'])
  })

  test('without an answer of the resolver reports a network failure', async () => {
    const unknown = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
    const fetch = createGuardedFetch({ resolve: () => Promise.reject(unknown) })
    const failure = await failureOf(fetch({ url: 'http://nowhere.test/' }))
    expect(failure).toMatchObject({ code: 'network', message: expect.stringContaining('nowhere.test') })
    const none = createGuardedFetch({ resolve: async () => [] })
    expect(await failureOf(none({ url: 'http://nowhere.test/' }))).toMatchObject({ code: 'network' })
  })
})

describe('requests', () => {
  async function setUp(...args: Parameters<typeof webServer>) {
    const server = await webServer(...args)
    const fetch = createGuardedFetch({ allow: [server.place] })
    return {
      ...server,
      fetch: (request: Partial<FetchRequest> = {}) => fetch({ url: server.base, ...request }),
    }
  }

  test('returns status, headers, body and URL', async () => {
    const { base, fetch, seen } = await setUp((_, response) => {
      response.writeHead(418, { 'content-type': 'text/plain; charset=iso-8859-1', 'x-two': ['a', 'b'] })
      response.end(Buffer.from([0x63, 0xe4]))
    })
    const answer = await fetch({
      url: `${base}/a?b=c#d`,
      method: 'POST',
      body: 'ö',
      headers: { 'X-Own': '1' },
    })
    expect(answer).toMatchObject({ status: 418, url: `${base}/a?b=c#d`, body: 'cä', cut: false })
    expect(answer.headers).toMatchObject({ 'x-two': 'a, b' })
    expect(seen).toMatchObject([{ method: 'POST', url: '/a?b=c', body: 'ö', headers: { 'x-own': '1' } }])
  })

  test('ignores the host header of the caller', async () => {
    const { fetch, place, seen } = await setUp((_, response) => response.end())
    await fetch({ headers: { Host: 'other.test' } })
    expect(seen[0]?.headers.host).toBe(place)
  })

  test('cuts a huge body at a whole character, and releases the server', async () => {
    const { fetch } = await setUp((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('ä'.repeat(8192)));
      }
      response.on('drain', more)
      more()
    })
    const { body, cut } = await fetch({ maxBytes: 100_001 })
    expect(cut).toBe(true)
    expect(body).toBe('ä'.repeat(50_000))
  })

  test.each([
    [10, 'abcdefghij', false],
    [9, 'abcdefghi', true],
    [0, '', true],
  ])('a limit of %d bytes', async (maxBytes, body, cut) => {
    const { fetch } = await setUp((_, response) => response.end('abcdefghij'))
    expect(await fetch({ maxBytes })).toMatchObject({ body, cut })
  })

  test('a gzip bomb is read only up to the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(64 << 20))
    const { fetch } = await setUp((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(bomb)
    })
    const before = process.memoryUsage().arrayBuffers
    const { body, cut } = await fetch({ maxBytes: 1 << 16 })
    expect({ length: body.length, cut }).toEqual({ length: 1 << 16, cut: true })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 << 20)
  })

  test.each(['gzip, gzip', 'zstd', 'nonsense'])('encoding %s is a failure', async (encoding) => {
    const { fetch } = await setUp((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding })
      response.end('x')
    })
    expect(await failureOf(fetch())).toMatchObject({ code: 'network' })
  })

  test('a broken gzip stream is a failure', async () => {
    const { fetch } = await setUp((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(gzipSync('hello hello hello').subarray(0, 15))
    })
    expect(await failureOf(fetch())).toMatchObject({ code: 'network' })
  })

  test.each(['headers', 'body'])('a server whose %s never come is a timeout', async (part) => {
    const { fetch } = await setUp((_, response) => {
      if (part === 'body') response.write('a')
    })
    expect(await failureOf(fetch({ timeoutMs: 100 }))).toMatchObject({ code: 'timeout' })
  })

  test('a cancel ends a waiting request, and one that has not started', async () => {
    const { fetch, seen } = await setUp((_, response) => {
      response.write('a')
      setTimeout(() => stop.abort(), 20)
    })
    const stop = new AbortController()
    expect(await failureOf(fetch({ signal: stop.signal }))).toMatchObject({ code: 'cancelled' })
    expect(await failureOf(fetch({ signal: stop.signal }))).toMatchObject({ code: 'cancelled' })
    expect(seen).toHaveLength(1)
  })

  test('the time limit ends a resolver that hangs', async () => {
    const fetch = createGuardedFetch({ resolve: () => new Promise(() => undefined) })
    const failure = await failureOf(fetch({ url: 'http://slow.test/', timeoutMs: 50 }))
    expect(failure).toMatchObject({ code: 'timeout', message: expect.stringContaining('slow.test') })
  })

  test('reports a closed port, and a server that hangs up, as network failures', async () => {
    const server = createServer((socket) => socket.destroy())
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const place = `127.0.0.1:${(server.address() as { port: number }).port}`
    const fetch = createGuardedFetch({ allow: [place] })
    expect(await failureOf(fetch({ url: `http://${place}` }))).toMatchObject({ code: 'network' })
    await new Promise((done) => server.close(done))
    expect(await failureOf(fetch({ url: `http://${place}` }))).toMatchObject({ code: 'network' })
  })
})

describe('redirects', () => {
  const to =
    (location: string, status = 302): Parameters<typeof webServer>[0] =>
    (_, response) => {
      response.writeHead(status, { location })
      response.end('elsewhere')
    }

  test.each([
    'http://169.254.169.254/latest/',
    'http://[::1]:1/',
    'http://2130706433/',
    'http://loopback.test/',
    'http://mixed.test/',
    '//127.0.0.1:1/',
    'file:///etc/passwd',
    'http://user:pw@example.com/',
    'http://localhost:1/',
  ])('rejects a redirect to %s', async (target) => {
    const server = await webServer(to(target))
    const fetch = createGuardedFetch({ allow: [server.place], resolve: stub })
    expect(await failureOf(fetch({ url: server.base }))).toMatchObject({ code: 'blocked_address' })
    expect(server.seen).toHaveLength(1)
  })

  test.each([
    { kind: 'is unknown', code: 'network', host: 'gone.test' },
    { kind: 'closes the connection', code: 'network', host: '' },
    { kind: 'never answers', code: 'timeout', host: '' },
    { kind: 'is refused', code: 'blocked_address', host: 'loopback.test' },
  ])('names the host of the redirect that $kind', async ({ kind, code, host }) => {
    const silent = createServer((socket) => (kind === 'never answers' ? undefined : socket.destroy()))
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
    onTestFinished(() => void silent.close())
    const place = `127.0.0.1:${(silent.address() as { port: number }).port}`
    const target = host === '' ? place : host
    const server = await webServer(to(`http://${target}/x`))
    const resolve = async (name: string) => {
      if (name === 'gone.test') throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
      return stub(name)
    }
    const fetch = createGuardedFetch({ allow: [server.place, place], resolve })
    const failure = await failureOf(fetch({ url: server.base, timeoutMs: 500 }))
    expect(failure).toMatchObject({ code })
    expect(failure?.message.startsWith(target)).toBe(true)
    if (code !== 'blocked_address') expect(failure?.message).toContain(`(redirected from ${server.place})`)
  })

  test('a request that is cancelled after a redirect names the host that it waits for', async () => {
    const stop = new AbortController()
    const target = await webServer(() => stop.abort())
    const server = await webServer(to(`${target.base}/x`))
    const fetch = createGuardedFetch({ allow: [server.place, target.place] })
    expect(await failureOf(fetch({ url: server.base, signal: stop.signal }))).toMatchObject({
      code: 'cancelled',
      message: `the request to ${target.place} (redirected from ${server.place}) was cancelled`,
    })
  })

  test('sends secrets only to their original origin', async () => {
    const target = await webServer((_, response) => response.end('there'))
    const own = await webServer((request, response) =>
      to(request.url === '/' ? '/again' : `${target.base}/x`)(request, response),
    )
    const fetch = createGuardedFetch({ allow: [own.place, target.place] })
    const headers = { Authorization: 'Bearer s', Cookie: 'c=1', 'X-Api-Key': 'k', Accept: 'text/html' }
    const answer = await fetch({ url: own.base, headers })
    expect(answer).toMatchObject({ status: 200, url: `${target.base}/x`, body: 'there' })
    expect(own.seen[1]?.headers).toMatchObject({ authorization: 'Bearer s', 'x-api-key': 'k' })
    const got = target.seen[0]?.headers ?? {}
    expect(got.accept).toBe('text/html')
    for (const name of ['authorization', 'cookie', 'x-api-key']) expect(got).not.toHaveProperty(name)
  })

  test.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'text'],
    [308, 'POST', 'text'],
  ])('%d after POST sends a %s', async (status, method, body) => {
    const server = await webServer((request, response) =>
      request.url === '/' ? to('/next', status)(request, response) : response.end(),
    )
    await createGuardedFetch({ allow: [server.place] })({ url: server.base, method: 'POST', body: 'text' })
    expect(server.seen[1]).toMatchObject({ method, body, url: '/next' })
  })

  test('follows five redirects, and rejects the sixth', async () => {
    const server = await webServer((request, response) => {
      const left = Number(request.url.slice(1))
      if (left === 0) response.end('arrived')
      else to(`/${left - 1}`)(request, response)
    })
    const fetch = createGuardedFetch({ allow: [server.place] })
    expect((await fetch({ url: `${server.base}/5` })).body).toBe('arrived')
    expect(await failureOf(fetch({ url: `${server.base}/6` }))).toMatchObject({ code: 'network' })
  })

  test('returns a redirect without a target as a response', async () => {
    const server = await webServer((_, response) => {
      response.writeHead(302)
      response.end('lost')
    })
    const answer = await createGuardedFetch({ allow: [server.place] })({ url: server.base })
    expect(answer).toMatchObject({ status: 302, body: 'lost' })
  })
})
