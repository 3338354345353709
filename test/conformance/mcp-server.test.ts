// The official conformance scenarios for servers, against the server of Anode over HTTP with all its guards.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { dataDir } from '../../internal/base/dirs.ts'
import { serveMcpOverHttp } from '../../internal/service/mcp-server/mcp-http-service.ts'
import { giveToken } from '../../internal/service/server/token-file.ts'
import { sampleRows } from '../support/sample.ts'
import { bundleSuite, expectedFailures } from './suite.ts'
import { openSuiteSurface } from './suite-surface.ts'

const suite = await bundleSuite()
const expected = expectedFailures('server')
const { said } = await suite.run(['list', '--server'])
const scenarios = [...said.matchAll(/^ {2}- (\S+)/gm)].map((match) => match[1] as string)

const { surface, env, close } = await openSuiteSurface(suite.dir)
const stop = new AbortController()
let ended: Promise<void> | undefined
const address = await new Promise<URL>((resolve, reject) => {
  const ready = (where: { address: string }) => resolve(new URL(where.address))
  ended = serveMcpOverHttp(surface, { env, port: 0, signal: stop.signal, ready })
  ended.catch(reject)
})
const data = dataDir(env)
// the suite has no token, and asks faster than one may
const tokens = await Promise.all(Array.from({ length: 8 }, () => giveToken(data, 'approve', 600_000)))
const relay = createServer((incoming, outgoing) => {
  const own = `127.0.0.1:${(relay.address() as AddressInfo).port}`
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value).replace(own, address.host)]),
  )
  tokens.push(tokens.shift() as string)
  const authorization = `Bearer ${tokens[0]}`
  const { method, url: path } = incoming
  const there = request(
    {
      host: '127.0.0.1',
      port: address.port,
      method,
      path,
      headers: { ...headers, authorization },
      agent: false,
    },
    (reply) => {
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(outgoing)
      reply.on('error', () => outgoing.destroy())
    },
  )
  there.on('error', () => outgoing.destroy())
  outgoing.on('close', () => there.destroy())
  incoming.pipe(there)
})
await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}${address.pathname}`

afterAll(async () => {
  relay.close()
  relay.closeAllConnections()
  stop.abort()
  await ended
  await close()
  suite.remove()
})

interface Check {
  id: string
  status: string
  errorMessage?: string
}

/** Checks of a scenario that failed. */
async function playServerScenario(name: string): Promise<string[]> {
  const out = mkdtempSync(join(suite.dir, 'checks-'))
  const { said } = await suite.run(['server', '--url', url, '--scenario', name, '--output-dir', out])
  const [folder] = readdirSync(out)
  if (folder === undefined) return [`it did not run: ${said.slice(-2000)}`]
  const checks = JSON.parse(readFileSync(join(out, folder, 'checks.json'), 'utf8')) as Check[]
  return checks
    .filter(({ status }) => status === 'FAILURE')
    .map(({ id, errorMessage }) => `${id}: ${errorMessage}`)
}

test('the list of scenarios is whole, and every expected failure has its reason', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(30)
  expect(expected.names.filter((name) => !scenarios.includes(name))).toEqual([])
  expect(expected.bare).toEqual([])
})

test.each(sampleRows(scenarios, 11))('%s', async (name) => {
  const failures = await playServerScenario(name)
  if (expected.names.includes(name)) return expect(failures).not.toEqual([])
  expect(failures).toEqual([])
})
