// A server that other machines may reach: what it wants for that, and under which names it then answers.
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type ExposureWishes, readExposure } from '../../../../internal/service/server/server-exposure.ts'
import { runServer } from '../../../../internal/service/server/server-service.ts'
import { createCertificate } from '../../../support/certificate.ts'
import { ask, servedData } from '../../../support/http-server.ts'
import { scratchWith } from '../../../support/scratch.ts'

/** Files of two certificates, of one that has ended, and of one without a name. */
function certificateFiles() {
  const one = createCertificate(['anode.test', '*.Many.test', '127.0.0.1'])
  const dir = scratchWith({
    'one.pem': one.cert,
    'one.key': one.key,
    'other.key': createCertificate(['other.test']).key,
    'old.pem': createCertificate(['old.test'], Date.UTC(2024, 0, 1)).cert,
    ...nameless(),
    'text.pem': 'no certificate\n',
  })
  return (name: string) => join(dir, name)
}

function nameless() {
  const { cert, key } = createCertificate([])
  return { 'nameless.pem': cert, 'nameless.key': key }
}

it.each<[ExposureWishes, string]>([
  [{ host: '0.0.0.0' }, 'would send tokens and conversations in the clear'],
  [{ host: '192.0.2.7' }, 'would send tokens and conversations in the clear'],
  [{ host: 'localhost.example.org' }, 'would send tokens and conversations in the clear'],
  [{ tlsCert: 'one.pem' }, '--tls-cert and --tls-key belong together'],
  [{ tlsCert: 'none.pem', tlsKey: 'one.key' }, 'none.pem cannot be read'],
  [{ tlsCert: 'text.pem', tlsKey: 'one.key' }, 'is not a certificate'],
  [{ tlsCert: 'one.pem', tlsKey: 'text.pem' }, 'is not a key'],
  [{ tlsCert: 'one.pem', tlsKey: 'other.key' }, 'is not that of the certificate'],
  [{ tlsCert: 'nameless.pem', tlsKey: 'nameless.key' }, 'is for no name'],
  [{ host: '0.0.0.0', behindProxy: 'http://anode.test' }, 'is not the address of a site'],
  [{ host: '0.0.0.0', behindProxy: 'anode.test' }, 'is not the address of a site'],
  [{ behindProxy: 'https://anode.test/below' }, 'is not the address of a site'],
])('rejects %j', (wishes, why) => {
  const file = certificateFiles()
  const placed = {
    ...wishes,
    tlsCert: wishes.tlsCert && file(wishes.tlsCert),
    tlsKey: wishes.tlsKey && file(wishes.tlsKey),
  }
  expect(() => readExposure(placed)).toThrow(why)
})

it('names the addresses under which it answers, and says who can reach it', () => {
  const file = certificateFiles()
  const [tlsCert, tlsKey] = [file('one.pem'), file('one.key')]
  const local = readExposure({ host: '::1' })
  expect(local.origins(8090)[0]).toBe('http://[::1]:8090')
  expect(local.notes).toEqual([])
  const open = readExposure({ host: '0.0.0.0', tlsCert, tlsKey })
  expect(open.origins(443).slice(0, 3)).toEqual([
    'https://anode.test',
    'https://*.many.test',
    'https://127.0.0.1',
  ])
  expect(open.notes.join()).toContain('other machines can reach this server on all addresses')
  const proxied = readExposure({ host: '192.0.2.7', behindProxy: 'https://Anode.test:8443/' })
  expect(proxied.origins(80).slice(0, 2)).toEqual(['https://anode.test:8443', 'http://192.0.2.7'])
  expect(proxied.notes.join()).toContain('is not encrypted')
  const old = readExposure({ tlsCert, tlsKey }, Date.now() + 9 * 86_400_000)
  expect(old.notes.join()).toContain('the certificate has expired')
})

/** Asks over TLS, with this host and origin. */
function askSecurely(
  port: number,
  ca: string,
  headers: Readonly<Record<string, string>>,
  path = '/v1/access',
) {
  return new Promise<{ status: number; cookie: string }>((resolve, reject) => {
    const method = path === '/v1/page' ? 'POST' : 'GET'
    const going = request(
      { host: '127.0.0.1', port, path, method, ca, servername: 'anode.test', headers, agent: false },
      (reply) => {
        reply.resume()
        const cookie = String(reply.headers['set-cookie'])
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, cookie }))
      },
    )
    going.on('error', reject)
    going.end()
  })
}

it('speaks https to the names of its certificate alone, and keeps its cookie to that', async () => {
  const file = certificateFiles()
  const { place, data } = servedData([])
  const stop = new AbortController()
  const exposure = readExposure({ host: '0.0.0.0', tlsCert: file('one.pem'), tlsKey: file('one.key') })
  let ended: Promise<void> | undefined
  const where = await new Promise<{ address: string | undefined }>((resolve, reject) => {
    ended = runServer({ place, port: 0, exposure, signal: stop.signal, ready: resolve })
    ended.catch(reject)
  })
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  const port = Number(new URL(where.address ?? '').port)
  expect(where.address).toBe(`https://anode.test:${port}`)
  const ca = readFileSync(file('one.pem'), 'utf8')
  const token = readFileSync(join(data, 'server', 'token'), 'utf8').trim()
  const authorization = `Bearer ${token}`
  const statusOf = async (host: string, origin?: string) => {
    const headers = { authorization, host: `${host}:${port}`, ...(origin && { origin }) }
    return (await askSecurely(port, ca, headers)).status
  }
  expect(await statusOf('anode.test')).toBe(200)
  expect(await statusOf('one.many.test', `https://one.many.test:${port}`)).toBe(200)
  expect(await statusOf('localhost')).toBe(200)
  expect(await statusOf('two.one.many.test')).toBe(421)
  expect(await statusOf('many.test')).toBe(421)
  expect(await statusOf('evil.test')).toBe(421)
  expect(await statusOf('anode.test', `http://anode.test:${port}`)).toBe(403)
  expect(await statusOf('anode.test', `https://evil.test:${port}`)).toBe(403)
  const page = await askSecurely(port, ca, { authorization, host: `anode.test:${port}` }, '/v1/page')
  expect(page).toMatchObject({ status: 200, cookie: expect.stringContaining('SameSite=Strict; Secure') })
  await expect(ask(port, '/healthz', {})).rejects.toThrow()
})
