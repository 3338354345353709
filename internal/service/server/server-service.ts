// Server of a data directory. At most one runs; other processes find and stop it by its record, and it ends
// when it is unused.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataDir } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { readJsonRecord, writeJsonRecord } from '../../base/files/json-record.ts'
import { withLocks } from '../../base/files/path-locks.ts'
import { isAlive, processIdentity } from '../../base/process-identity.ts'
import { hashToken } from '../../server/http/access-tokens.ts'
import { createHttpApp } from '../../server/http/http-app.ts'
import { type ListeningServer, listenForClients } from '../../server/http/listening-server.ts'
import { createRequestGuard, loopbackOrigins } from '../../server/http/request-guard.ts'
import { openStore } from '../../store/sqlite.ts'
import type { RunPlace } from '../runs/run-access.ts'
import { isRunAlive, openRunFolder, readRunRecords, runSocketPath } from '../runs/run-record.ts'
import { takeLinkCode } from './link-code.ts'
import { createServerBackend } from './server-backend.ts'
import type { ServerExposure } from './server-exposure.ts'
import {
  ensureOwnToken,
  openServerFolder,
  readOwnToken,
  readTokens,
  serverFolder,
  tokenPath,
} from './token-file.ts'

interface ServerRecord {
  pid: number
  mark: string
  started: number
  socket: string
  port?: number
  /** First of the URLs for clients; missing if the server has no port. */
  origin?: string
}

interface ServerOptions {
  place: RunPlace
  /** The port; 0 selects any free port. Default: only the socket in the data directory. */
  port?: number
  /** The network address and the allowed URLs. Default: loopback. */
  exposure?: Pick<ServerExposure, 'host' | 'tls' | 'origins'>
  signal: AbortSignal
  /** Called when the server listens for clients. */
  ready(where: { socket: string; address: string | undefined; tokenFile: string }): void
  /**
   * Milliseconds since the last request after which the server ends, unless a run is active or a client
   * receives events. Checked at least once a minute. Default: 30 minutes.
   */
  maxIdleMs?: number
}

const usualIdleMs = 30 * 60_000

const recordPath = (data: string) => join(serverFolder(data), 'server.json')

/**
 * Runs the server. Resolves when it has ended, by `signal` or because it was unused. Throws UserError if
 * another server runs or the port cannot be used.
 */
export async function runServer(options: ServerOptions): Promise<void> {
  const { place, signal } = options
  const data = dataDir(place.env)
  await ensureOwnToken(data)
  await openRunFolder(data)
  const store = await openStore(data)
  const origins: string[] = []
  const guard = createRequestGuard({
    tokens: () => readTokens(data),
    origins: () => origins,
    pageSecret: () => readOwnToken(data),
    takeCode: async (code) =>
      (await takeLinkCode(data, code)) ? hashToken(await readOwnToken(data)) : undefined,
  })
  const backend = createServerBackend(data, store, place)
  const app = createHttpApp(backend, guard)
  try {
    const server = await startListening(data, options, app.handle)
    origins.push(...server.origins)
    const [address] = origins
    options.ready({ socket: socketPath(data), address, tokenFile: tokenPath(data) })
    await untilUnused(data, server, () => app.counts.streams > 0, options.maxIdleMs ?? usualIdleMs, signal)
    await server.close()
    await rm(recordPath(data), { force: true })
  } finally {
    await backend.close()
    store.close()
  }
}

/**
 * Returns the path of the server's socket. It is in the directory with the sockets of runs,
 * whose names differ.
 */
const socketPath = (data: string) => runSocketPath(data, 'server')

async function startListening(
  data: string,
  { port, exposure }: ServerOptions,
  handle: Parameters<typeof listenForClients>[0]['handle'],
): Promise<ListeningServer & { origins: readonly string[] }> {
  const folder = await openServerFolder(data)
  return withLocks(folder, ['server'], async () => {
    const before = await readServerRecord(data)
    if (before) {
      const hint = '`anode serve --open` opens its page; `anode serve stop` ends it'
      throw new UserError(`a server runs already, as process ${before.pid}`, { hint })
    }
    const socket = socketPath(data)
    const place = { port, host: exposure?.host, tls: exposure?.tls }
    const server = await listenForClients({ socket, handle, ...place })
    const originsAt = exposure?.origins ?? loopbackOrigins
    const origins = server.port === undefined ? [] : originsAt(server.port)
    const record: ServerRecord = {
      pid: process.pid,
      mark: processIdentity(),
      started: Date.now(),
      socket,
      port: server.port,
      origin: origins[0],
    }
    await writeJsonRecord(recordPath(data), record)
    return { ...server, origins }
  })
}

/** Returns the record of the active server, or undefined without one. */
async function readServerRecord(data: string): Promise<ServerRecord | undefined> {
  const record = readJsonRecord<ServerRecord>(recordPath(data))
  return record && isAlive(record.mark, Date.now() - record.started) ? record : undefined
}

/** Returns the URL of the active server, or undefined if none runs or if it has no port. */
export async function findServerAddress(data: string): Promise<string | undefined> {
  const { port, origin } = (await readServerRecord(data)) ?? {}
  return origin ?? (port === undefined ? undefined : loopbackOrigins(port)[0])
}

const maxStopMs = 5_000

/** Stops the server. Resolves to true if a server was running, after it has ended or after 5 seconds. */
export async function stopServer(data: string): Promise<boolean> {
  const record = await readServerRecord(data)
  if (!record) return false
  process.kill(record.pid, 'SIGTERM')
  for (const end = Date.now() + maxStopMs; Date.now() < end && (await readServerRecord(data)); )
    await sleep(20)
  return true
}

async function untilUnused(
  data: string,
  server: ListeningServer,
  isWatched: () => boolean,
  maxIdleMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(Math.min(maxIdleMs, 60_000), undefined, { signal }).catch(() => undefined)
    const isIdle = !isWatched() && Date.now() - server.lastUse() >= maxIdleMs
    if (isIdle && !(await readRunRecords(data)).some(isRunAlive)) return
  }
}
