// A real Redis server for tests: on a free loopback port, written to disk, stopped by its process id.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { onFileEnd } from './file-end.ts'

export interface RedisServer {
  /** `redis://127.0.0.1:<port>`. */
  readonly url: string
  readonly port: number
  /** Kills the server as a crash would. Its files stay. */
  kill(): Promise<void>
  /** Stops the server without closing its connections (SIGSTOP), until `resume`. */
  pause(): void
  /** Continues a paused server. */
  resume(): void
  /** Starts the server again on the same port with its files. */
  start(): Promise<void>
  /** Deletes all stored data. The server must not run. */
  forget(): Promise<void>
  /** Kills it if it runs and removes its files. */
  remove(): Promise<void>
}

const missing =
  spawnSync('redis-server', ['--version']).status === 0
    ? undefined
    : 'redis-server is not installed (Debian and Ubuntu: apt-get install redis-server)'

/**
 * Flags for tests that kill a server: nothing is acknowledged before it is on disk, not even during a sync.
 */
export const durable: readonly string[] = ['--appendfsync', 'always']

/** Starts a server that ends with the test file. `extra` are additional command-line arguments. */
export async function startRedis(extra: readonly string[] = []): Promise<RedisServer> {
  const dir = mkdtempSync(join(tmpdir(), 'anode-redis-'))
  const port = await freePort()
  let running: ChildProcess | undefined
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    port,
    async start() {
      const args = [
        '--port',
        `${port}`,
        '--bind',
        '127.0.0.1',
        '--dir',
        dir,
        '--save',
        '',
        '--appendonly',
        'yes',
      ]
      const child = spawn('redis-server', [...args, ...extra], { stdio: ['ignore', 'pipe', 'inherit'] })
      running = child
      let said = ''
      for await (const part of child.stdout.setEncoding('utf8')) {
        said += part as string
        if (said.includes('Ready to accept connections')) break
      }
      if (!said.includes('Ready to accept connections'))
        throw new Error(`redis-server did not start:\n${said}`)
    },
    async kill() {
      const child = running
      running = undefined
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    pause: () => void running?.kill('SIGSTOP'),
    resume: () => void running?.kill('SIGCONT'),
    async forget() {
      for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true, force: true })
    },
    async remove() {
      await server.kill()
      rmSync(dir, { recursive: true, force: true })
    },
  }
  // no server survives its file, also if a test fails before it has removed its server
  onFileEnd(() => server.remove())
  await server.start()
  return server
}

/** Declares tests that need a server: one for all of them, or prints why they are skipped. */
export function withRedis(name: string, declare: (at: () => RedisServer) => void): void {
  whereRedis(name, () => {
    let server: RedisServer
    beforeAll(async () => {
      server = await startRedis()
    })
    afterAll(() => server.remove())
    declare(() => server)
  })
}

/** Declares tests that start servers, or prints why they are skipped. */
export function whereRedis(name: string, declare: () => void): void {
  if (missing !== undefined) {
    describe(name, () => {
      test('is skipped', () => console.log(`skipped ${name}: ${missing}`))
    })
    return
  }
  describe(name, declare)
}

export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.on('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address ? done(address.port) : fail(new Error('no port')),
      )
    })
  })
}
