// Proxy for a sandboxed command, which connects it by CONNECT and plain HTTP to the hosts that the user
// granted. Each host passes the same checks as in the tool that fetches URLs.
import { chmodSync, closeSync, openSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { basename, dirname } from 'node:path'
import type { Duplex } from 'node:stream'
import { messageOf } from '../base/errors.ts'
import { timeLimit } from '../base/time-limit.ts'
import { type GrantedHost, isGranted } from '../net/granted-host.ts'
import { createLookup, judgeHost, resolveBySystem } from '../net/host-judgement.ts'
import type { FetchGuardOptions } from '../net/ssrf-guard.ts'

/** One decision of the proxy about a connection. */
export interface ProxyDecision {
  /** `name:port` as the command requested it. */
  place: string
  /** Reason of a refusal. Undefined if the connection was allowed. */
  refused?: string
}

export interface HostProxy {
  /**
   * Returns the first 1,000 different decisions in order. A repeated decision about the same host and port
   * is listed once.
   */
  decisions(): readonly ProxyDecision[]
  close(): Promise<void>
}

const maxDecisions = 1000

/**
 * Longest duration of a name lookup in milliseconds while the proxy opens. It is shorter than the time limits
 * of the system's resolver.
 */
const maxResolveMs = 10_000

/**
 * Opens the proxy on a socket file with mode 0600. It connects only to hosts in `grants`, and there only to
 * public addresses or servers in `allow`. Each connection looks up the name once and uses the checked
 * address. Rejects with FailureError if a granted host has other addresses. With `password`, the client has
 * to send it as user name and password.
 */
export async function openHostProxy(
  socket: string,
  grants: readonly GrantedHost[],
  { resolve = resolveBySystem, allow = [] }: FetchGuardOptions = {},
  password?: string,
): Promise<HostProxy> {
  const isKnown = (host: string, port: number) => allow.includes(`${host}:${port}`)
  // The hosts are checked at once, so that an invalid grant is reported before a program runs.
  for (const { name, port = 443 } of grants)
    await judgeHost(name, isKnown(name, port), resolve, timeLimit(maxResolveMs))
  const decisions = new Map<string, ProxyDecision>()
  const open = new Set<Duplex>()
  const closing = new AbortController()
  const decide = async (host: string, port: number): Promise<readonly string[]> => {
    const place = `${host}:${port}`
    const note = (refused?: string) => {
      if (decisions.size < maxDecisions)
        decisions.set(`${place} ${refused}`, { place, refused: refused || undefined })
    }
    try {
      if (!isGranted(grants, host, port)) throw new Error('not granted')
      const addresses = await judgeHost(host, isKnown(host, port), resolve, closing.signal)
      note()
      return addresses
    } catch (error) {
      note(messageOf(error))
      throw error
    }
  }
  const hold = <T extends Duplex>(stream: T): T => {
    open.add(stream)
    stream.once('close', () => open.delete(stream))
    stream.on('error', () => stream.destroy())
    return stream
  }
  const mayPass = ({ headers }: IncomingMessage) =>
    password === undefined || headers['proxy-authorization'] === authorizationOf(password)
  const server = createServer((clientRequest, answer) => {
    if (mayPass(clientRequest)) void forwardRequest(clientRequest, answer, decide, closing.signal)
    else answer.writeHead(407, { 'proxy-authenticate': challenge, 'content-length': 0 }).end()
  })
  server.on('connection', hold)
  server.on('connect', (clientRequest, client, head) => {
    if (mayPass(clientRequest)) void openTunnel(clientRequest, hold(client), head, decide, hold)
    else hold(client).end(`HTTP/1.1 407 Proxy Authentication Required\r\n${refusal}`)
  })
  server.on('clientError', (_, client) => client.destroy())
  await listenAt(server, socket)
  chmodSync(socket, 0o600)
  return {
    decisions: () => [...decisions.values()],
    async close() {
      closing.abort()
      for (const stream of open) stream.destroy()
      await new Promise((closed) => server.close(closed))
      rmSync(socket, { force: true })
    },
  }
}

/**
 * Longest path of a socket, in bytes, that is used as it is. For a longer one, a shorter path is used.
 */
const maxSocketPath = 100

/** Listens on a socket file. If its path is too long, a shorter path to the same file is used. */
async function listenAt(server: Server, socket: string): Promise<void> {
  const directory = Buffer.byteLength(socket) > maxSocketPath ? openSync(dirname(socket), 'r') : undefined
  const path = directory === undefined ? socket : `/proc/self/fd/${directory}/${basename(socket)}`
  try {
    await new Promise<void>((listening, failed) => {
      server.once('error', failed)
      server.listen(path, listening)
    })
  } finally {
    if (directory !== undefined) closeSync(directory)
  }
}

const challenge = 'Basic realm="another command"'
const refusal = `Proxy-Authenticate: ${challenge}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`

const authorizationOf = (password: string) =>
  `Basic ${Buffer.from(`${password}:${password}`).toString('base64')}`

type HostDecider = (host: string, port: number) => Promise<readonly string[]>

async function openTunnel(
  clientRequest: IncomingMessage,
  client: Duplex,
  head: Buffer,
  decide: HostDecider,
  hold: (stream: Socket) => Socket,
): Promise<void> {
  try {
    const target = new URL(`http://${clientRequest.url}`)
    const port = Number(target.port || 80)
    const addresses = await decide(target.hostname, port)
    const far = hold(connect({ host: target.hostname, port, lookup: createLookup(addresses) }))
    far.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      far.write(head)
      far.pipe(client).pipe(far)
    })
    far.once('close', () => client.destroy())
    client.once('close', () => far.destroy())
  } catch (error) {
    const text = `${messageOf(error)}\n`
    client.end(`HTTP/1.1 403 Forbidden\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
}

/** Headers that apply to one connection only, so the proxy does not pass them on. */
const perHop = new Set([
  'proxy-connection',
  'proxy-authorization',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
])

async function forwardRequest(
  clientRequest: IncomingMessage,
  answer: ServerResponse,
  decide: HostDecider,
  signal: AbortSignal,
): Promise<void> {
  const refuse = (status: number, text: string) => {
    if (answer.headersSent) answer.destroy()
    else answer.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`)
  }
  try {
    const target = new URL(clientRequest.url ?? '')
    if (target.protocol !== 'http:') return refuse(400, 'only http addresses pass in this form')
    const port = Number(target.port || 80)
    const addresses = await decide(target.hostname, port)
    const headers = Object.fromEntries(
      Object.entries(clientRequest.headers).filter(([name]) => !perHop.has(name)),
    )
    const path = target.pathname + target.search
    const place = { hostname: target.hostname, port, path, lookup: createLookup(addresses) }
    const onward = request({
      ...place,
      method: clientRequest.method,
      headers: { ...headers, host: target.host },
      signal,
    })
    onward.once('response', (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    onward.once('error', (error) => refuse(502, error.message))
    answer.once('close', () => onward.destroy())
    clientRequest.pipe(onward)
  } catch (error) {
    refuse(403, messageOf(error))
  }
}
