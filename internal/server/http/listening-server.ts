// Sockets on which the server listens: a socket file, a TCP port, or both.

import { chmod, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { codeOf, UserError } from '../../base/errors.ts'
import { startListening } from '../wire/session-listener.ts'
import { listenerOf } from './node-bridge.ts'

interface ListenOptions {
  /** Path of the socket file on which the server listens. Default: it listens on no socket file. */
  socket?: string
  /** TCP port; 0: any free port. Default: it does not listen on TCP. */
  port?: number
  /** Address on which the server listens for TCP. Default: 127.0.0.1. */
  host?: string
  /** Certificate and key in PEM format. With them, the TCP port uses https. */
  tls?: { cert: Buffer; key: Buffer } | undefined
  handle(request: Request, isLocalSocket: boolean): Promise<Response>
  /**
   * Milliseconds in which the headers of a request have to arrive. `maxRequestMs` is the limit for the whole
   * request. Default: 5 and 20 seconds.
   */
  maxHeadMs?: number
  maxRequestMs?: number
}

export interface ListeningServer {
  /** TCP port in use; undefined if the server does not listen on TCP. */
  port: number | undefined
  /** Milliseconds since 1970 of the last request, or of the start before the first request. */
  lastUse(): number
  close(): Promise<void>
}

/**
 * Largest number of connections of each socket, even if they have not sent a request. Further
 * connections are refused.
 */
const maxConnections = 256

/**
 * Opens the sockets. Throws UserError if the host is not an address of this machine or the TCP port cannot be
 * used, and the system's error for any other problem.
 */
export async function listenForClients(options: ListenOptions): Promise<ListeningServer> {
  const { socket, port, host = '127.0.0.1', tls, handle, maxHeadMs = 5_000, maxRequestMs = 20_000 } = options
  const timeouts = {
    headersTimeout: maxHeadMs,
    requestTimeout: maxRequestMs,
    connectionsCheckingInterval: Math.min(1_000, maxHeadMs),
    keepAliveTimeout: 5_000,
    maxHeaderSize: 16_384,
  }
  let lastUse = Date.now()
  const listener = (isLocalSocket: boolean) =>
    listenerOf((request) => {
      lastUse = Date.now()
      return handle(request, isLocalSocket)
    })
  const limited = <S extends Server>(server: S) => {
    server.maxConnections = maxConnections
    return server
  }
  const local =
    socket === undefined
      ? undefined
      : await listenLocally(limited(createServer(timeouts, listener(true))), socket)
  const open = () => {
    if (!tls) return createServer(timeouts, listener(false))
    return createTlsServer({ ...timeouts, ...tls, handshakeTimeout: maxHeadMs }, listener(false))
  }
  const tcp = port === undefined ? undefined : limited(open())
  try {
    await (tcp && startListening(tcp, { host, port: port as number }))
  } catch (error) {
    local?.close()
    throw explainBusyPort(error, host)
  }
  return {
    port: (tcp?.address() as AddressInfo | undefined)?.port,
    lastUse: () => lastUse,
    async close() {
      await Promise.all([local, tcp].map((server) => server && closeServer(server)))
      if (socket !== undefined) await rm(socket, { force: true })
    },
  }
}

async function listenLocally(server: Server, path: string): Promise<Server> {
  await rm(path, { force: true })
  await startListening(server, { path })
  await chmod(path, 0o600)
  return server
}

function explainBusyPort(cause: unknown, host: string): unknown {
  const code = codeOf(cause)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new UserError(`${host} is not an address of this machine`, {
      hint: 'use an address of this machine',
      cause,
    })
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return cause
  return new UserError(`the port cannot be used: ${code}`, { hint: '--port 0 takes one that is free', cause })
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
