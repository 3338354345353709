// The HTTP client for a model's endpoint over node:http(s): keep-alive, a limit of silence, and a body that
// is complete or throws.
import { Agent, type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { Agent as SecureAgent } from 'node:https'
import { codeOf } from '../../base/errors.ts'
import { BrokenConnectionError, StalledConnectionError } from '../endpoint/connection-errors.ts'
import { decodeBody } from '../endpoint/content-decoding.ts'
import { encodeBody, type RequestBody } from './request-body.ts'

interface HttpRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body?: RequestBody
  signal: AbortSignal
  /** Milliseconds without a byte after which a connection counts as stalled. */
  idleMs: number
  /**
   * Longest wait in milliseconds for the headers, and again from there for the first byte of the
   * body. Default: `idleMs`.
   */
  firstByteMs?: number | undefined
}

export interface HttpAnswer {
  status: number
  headers: IncomingMessage['headers']
  /**
   * The body. Its iteration throws `BrokenConnectionError`, `StalledConnectionError` or, unless the body is
   * compressed, the reason of the request's signal if the body does not arrive completely. Leaving the
   * iteration early closes the connection.
   */
  body: AsyncIterable<Uint8Array>
  /**
   * True if the end of the body can be distinguished from a lost connection, by a declared length or
   * a last chunk.
   */
  isDelimited: boolean
  /** Closes the connection, even while the reader waits for the next bytes. */
  close(): void
}

/**
 * Longest wait in milliseconds for a connection. A host that does not accept within this time
 * counts as unreachable.
 */
const connectMs = 15_000

/**
 * Sends one request, and sends it again on a new connection if a reused one was closed. Redirects are not
 * followed, because the key would go along. Rejects with `BrokenConnectionError`, `StalledConnectionError`,
 * or the reason of `signal`.
 */
export async function sendRequest(sending: HttpRequest): Promise<HttpAnswer> {
  try {
    return await attemptRequest(sending)
  } catch (error) {
    // The server closed a reused connection at this moment, so it has not read the request. All idle
    // connections are closed, because they are as old, and the second attempt opens a new one.
    if (!(error instanceof ReusedConnectionError) || sending.signal.aborted) throw error
    closeIdleConnections(new URL(sending.url))
    return await attemptRequest(sending)
  }
}

/** Thrown if the server has closed a reused connection before the first byte of a response. */
class ReusedConnectionError extends BrokenConnectionError {}

/** Closes the idle connections to the host of `url`. */
function closeIdleConnections({ protocol, hostname, port }: URL): void {
  const agent = protocol === 'https:' ? secure : plain
  const prefix = `${hostname.replace(/^\[|\]$/g, '')}:${port || (protocol === 'https:' ? '443' : '80')}:`
  for (const [name, sockets = []] of Object.entries(agent?.freeSockets ?? {}))
    if (name.startsWith(prefix)) for (const socket of sockets) socket.destroy()
}

/** Codes of a connection that the other side has closed. */
const closedByServer = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED'])

const connected = new WeakSet<AbortSignal>()

/** Returns true if a request that was sent with `signal` has had a connection to a server. */
export const hasReachedServer = (signal: AbortSignal): boolean => connected.has(signal)

function attemptRequest(sending: HttpRequest): Promise<HttpAnswer> {
  const { signal, idleMs, firstByteMs = idleMs } = sending
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const body = sending.body && encodeBody(sending.body)
    startRequest(sending, body?.bytes.length).then((call) => {
      const abort = () => call.destroy(asError(signal.reason))
      const watch = new SilenceWatch(idleMs, firstByteMs, (stall) => call.destroy(stall))
      signal.addEventListener('abort', abort, { once: true })
      const settle = () => {
        watch.stop()
        signal.removeEventListener('abort', abort)
      }
      watch.connecting(call, signal)
      call.on('error', (error) => {
        settle()
        if (signal.aborted) return reject(asError(signal.reason))
        if (error instanceof StalledConnectionError) return reject(error)
        const isClosed = call.reusedSocket && closedByServer.has(codeOf(error) ?? '')
        reject(isClosed ? new ReusedConnectionError(true, error) : new BrokenConnectionError(true, error))
      })
      call.once('response', (message) => {
        watch.answered()
        // A server may answer before it has read the whole body, so the buffer of the body is released only
        // if all of it was sent.
        message.once('end', () => call.writableFinished && body?.release())
        const { headers } = message
        const encoding = headers['content-encoding']
        const bytes = drainBody(message, watch, signal, settle)
        resolve({
          status: message.statusCode ?? 0,
          headers,
          body: encoding === undefined ? bytes : decodeBody(bytes, encoding),
          isDelimited: 'content-length' in headers || /chunked/i.test(headers['transfer-encoding'] ?? ''),
          close: () => message.destroy(),
        })
      })
      call.end(body?.bytes)
    }, reject)
  })
}

/**
 * Yields the body of a response. Throws the reason of `signal`, a `StalledConnectionError`, or a
 * `BrokenConnectionError`. Node reports an error if the connection closes before the length or
 * the last chunk.
 */
async function* drainBody(
  message: IncomingMessage,
  watch: SilenceWatch,
  signal: AbortSignal,
  settle: () => void,
) {
  try {
    for await (const chunk of message) {
      watch.touch()
      yield chunk as Uint8Array
    }
  } catch (error) {
    if (signal.aborted) throw asError(signal.reason)
    throw watch.stall ?? new BrokenConnectionError(false, error)
  } finally {
    settle()
    message.destroy()
  }
}

/** The timers of one request, which end the request after too long a silence. */
class SilenceWatch {
  stall: StalledConnectionError | undefined
  /** Milliseconds after which the current wait ends the request. */
  private limitMs: number
  private readonly idleMs: number
  private readonly expire: (stall: StalledConnectionError) => void
  private timer: NodeJS.Timeout
  private knock: NodeJS.Timeout | undefined

  constructor(idleMs: number, firstByteMs: number, expire: (stall: StalledConnectionError) => void) {
    this.idleMs = idleMs
    this.limitMs = firstByteMs
    this.expire = expire
    this.timer = this.start()
  }

  private start(): NodeJS.Timeout {
    return setTimeout(() => {
      this.stall = new StalledConnectionError(this.limitMs)
      this.expire(this.stall)
    }, this.limitMs)
  }

  /**
   * Ends a request that has no connection after `connectMs`, much earlier than a busy model that sends
   * nothing. Without effect if the limit for the first byte is not longer.
   */
  connecting(call: ClientRequest, signal: AbortSignal) {
    call.once('socket', (socket) => {
      if (!socket.connecting) return void connected.add(signal)
      socket.once('connect', () => connected.add(signal))
      if (this.limitMs <= connectMs) return
      const error = Object.assign(new Error(`no connection within ${connectMs / 1000} s`), {
        code: 'ETIMEDOUT',
      })
      this.knock = setTimeout(() => call.destroy(error), connectMs)
      socket.once('connect', () => clearTimeout(this.knock))
    })
  }

  /**
   * Restarts the timer at the header of a response. Some servers send it at once, and the first byte of the
   * body only when the request leaves their queue.
   */
  answered() {
    this.timer.refresh()
  }

  /** Restarts the timer at a byte of the body. From then on the limit is `idleMs`. */
  touch() {
    if (this.limitMs === this.idleMs) return void this.timer.refresh()
    clearTimeout(this.timer)
    this.limitMs = this.idleMs
    this.timer = this.start()
  }

  stop() {
    clearTimeout(this.timer)
    clearTimeout(this.knock)
  }
}

let plain: Agent | undefined
let secure: SecureAgent | undefined

/**
 * Starts a request. Connections are reused for the life of the process, and idle ones do not keep it running.
 */
async function startRequest(sending: HttpRequest, length: number | undefined): Promise<ClientRequest> {
  const url = new URL(sending.url)
  const options: RequestOptions = {
    method: sending.method,
    headers: length === undefined ? sending.headers : { ...sending.headers, 'content-length': length },
  }
  if (url.protocol === 'https:') {
    const https = await import('node:https')
    secure ??= new https.Agent({ keepAlive: true, scheduling: 'lifo' })
    return https.request(url, { ...options, agent: secure })
  }
  plain ??= new Agent({ keepAlive: true, scheduling: 'lifo' })
  return request(url, { ...options, agent: plain })
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
