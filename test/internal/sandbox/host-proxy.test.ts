// The proxy for granted hosts, and the relay to it from inside the sandbox: real sockets and servers.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readGrantedHost } from '../../../internal/net/granted-host.ts'
import { createRunner } from '../../../internal/process/run-command.ts'
import { openSessionSandbox } from '../../../internal/runtime/processes/session-sandbox.ts'
import { type HostProxy, openHostProxy } from '../../../internal/sandbox/host-proxy.ts'
import { createSandbox } from '../../../internal/sandbox/sandbox.ts'
import { findSandboxSupport } from '../../../internal/sandbox/sandbox-support.ts'
import { run } from '../../support/run.ts'

const dir = mkdtempSync(join(tmpdir(), 'anode-proxy-'))
const socket = join(dir, 'proxy.sock')
const asked: string[] = []
const server = createServer((got, answer) => {
  asked.push(`${got.method} ${got.url} ${got.headers.host} ${got.headers['proxy-authorization'] ?? ''}`)
  answer.end('from afar')
})
let proxy: HostProxy
let port: number
const resolve = async (host: string) => (host === 'inner.example' ? ['10.0.0.7'] : ['127.0.0.1'])

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as { port: number }).port
  const grants = [readGrantedHost(`good.example:${port}`)]
  proxy = await openHostProxy(socket, grants, { resolve, allow: [`good.example:${port}`] })
})
afterAll(async () => {
  await proxy.close()
  server.close()
  rmSync(dir, { recursive: true, force: true })
})

const plain = (path: string): Promise<{ status: number; text: string }> =>
  new Promise((done, failed) => {
    request({ socketPath: socket, path, headers: { 'proxy-authorization': 'x' } }, async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      done({ status: answer.statusCode ?? 0, text })
    })
      .on('error', failed)
      .end()
  })

test('listens below a directory whose name is short in characters and long in bytes', async () => {
  const deep = join(dir, 'ü'.repeat(60 - dir.length / 2))
  mkdirSync(deep)
  const path = join(deep, 'proxy.sock')
  expect(path.length).toBeLessThanOrEqual(100)
  const other = await openHostProxy(path, [], { resolve, allow: [] })
  expect(statSync(path).isSocket()).toBe(true)
  await other.close()
})

/** Returns the first bytes of the response to these. */
const raw = (bytes: string): Promise<string> =>
  new Promise((done) => {
    const near = connect(socket, () => near.write(bytes))
    near.on('error', () => done(''))
    near.once('data', (chunk) => {
      done(String(chunk))
      near.destroy()
    })
    near.once('close', () => done(''))
  })

test('reaches a granted host in both forms, and only the owner can use the socket', async () => {
  expect(await plain(`http://good.example:${port}/a?b=1`)).toEqual({ status: 200, text: 'from afar' })
  expect(asked.at(-1)).toBe(`GET /a?b=1 good.example:${port} `)
  expect(await raw(`CONNECT good.example:${port} HTTP/1.1\r\n\r\n`)).toContain('200 Connection established')
  expect(statSync(socket).mode & 0o777).toBe(0o600)
})

test.each([
  ['http://other.example/', 'not granted'],
  ['http://good.example/', 'not granted'],
  [`http://127.0.0.1:1/`, 'not granted'],
])('%s is rejected and reported', async (url, why) => {
  const { status, text } = await plain(url)
  expect({ status, text }).toEqual({ status: 403, text: `${why}\n` })
  const { hostname, port } = new URL(url)
  expect(proxy.decisions()).toContainEqual({ place: `${hostname}:${port || 80}`, refused: why })
})

test('broken requests end without harm', async () => {
  for (const bytes of [
    'CONNECT :: HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'nonsense\r\n\r\n',
    'GET ftp://good.example/ HTTP/1.1\r\nhost: x\r\n\r\n',
  ])
    expect(await raw(bytes)).not.toContain('200')
  expect((await plain(`http://good.example:${port}/`)).status).toBe(200)
})

test('rejects a grant that leads to a private address before anything runs', async () => {
  const grants = [readGrantedHost('inner.example')]
  await expect(openHostProxy(join(dir, 'p2'), grants, { resolve })).rejects.toMatchObject({
    failure: { code: 'blocked_address', message: expect.stringContaining('10.0.0.7') },
  })
})

test.each([
  ['a folder of its own', dir],
  ['the temporary folder that everybody shares', realpathSync('/tmp')],
])('reaches only a granted host from a sandbox around %s', async (_, folder) => {
  const env = { PATH: process.env.PATH, HOME: dir }
  const sandboxes = await openSessionSandbox('auto', { data: dir, env, run })
  if (!sandboxes.active) return
  const machine = { platform: 'linux', path: env.PATH ?? '', probe: async () => undefined }
  const support = await findSandboxSupport(dir, machine)
  const hosts = { resolve, allow: [`good.example:${port}`] }
  const runner = createRunner({
    dataDir: dir,
    env,
    sandbox: createSandbox({ mode: 'auto', support, env, hosts }),
  })
  const sandbox = {
    kind: 'workspace',
    folders: [folder],
    protected: [],
    write: [],
    revealed: [],
    opened: [],
    // changes of other programs in a shared directory are not part of the test
    history: false,
  } as const
  const bash = (line: string, network: string[]) =>
    runner.run({
      file: 'bash',
      args: ['-c', line],
      cwd: dir,
      sandbox: { ...sandbox, network },
      timeoutMs: 20_000,
    })
  const line = `curl -s http://good.example:${port}/x; curl -s http://other.example; echo t > "$TMPDIR/t" && cat "$TMPDIR/t"; exit 9`
  const ran = await bash(line, [`good.example:${port}`])
  expect(ran).toMatchObject({
    ...{ exit: 9, stdout: { text: 'from afarnot granted\nt\n' } },
    sandbox: { refused: ['network: other.example:80: not granted'] },
  })
  await expect(bash('touch ran', ['inner.example'])).rejects.toMatchObject({
    failure: { code: 'blocked_address', hint: expect.any(String) },
  })
  expect(statSync(join(dir, 'ran'), { throwIfNoEntry: false })).toBeUndefined()
  await runner.close()
})
