// HTTP fetch from public addresses and from servers that the user configured. Each name is resolved once for
// each request, its addresses are checked, and the request connects only to a checked address.

import { buildConnector, Client } from 'undici'
import { codeOf, FailureError, messageOf } from '../base/errors.ts'
import { timeLimit } from '../base/time-limit.ts'
import { hideUrlSecrets } from '../base/url-credentials.ts'
import type { FetchRequest, FetchResponse, GuardedFetch } from './guarded-fetch.ts'
import {
  blockedError,
  createLookup,
  judgeHost,
  networkError,
  type ResolveHost,
  resolveBySystem,
} from './host-judgement.ts'
import { phraseNetworkError } from './network-phrase.ts'
import { acceptedEncodings, decodeBody, readBody } from './response-body.ts'

export type { ResolveHost } from './host-judgement.ts'

export interface FetchGuardOptions {
  /** Function that looks up the addresses of a host. Default: the resolver of the system. */
  resolve?: ResolveHost
  /**
   * `host:port` of servers that the user configured. Such a server may have any address, for example that
   * of this machine.
   */
  allow?: readonly string[]
}

const redirects = 5
const redirecting = new Set([301, 302, 303, 307, 308])

/**
 * Headers that do not identify the user. Only these are sent again when a redirect leads to another origin.
 */
const harmless = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

/** One request of a chain of redirects. */
interface RequestHop {
  url: URL
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | undefined
  /**
   * True if this is the first request, or all earlier ones went to servers that the user configured. Only
   * then may the request go to a non-public address of such a server.
   */
  trusted: boolean
}

/**
 * Creates a fetch with default limits of 30 seconds in total and 2 MiB of decompressed body, and at most five
 * redirects. Responses are not cached and connections are not reused. Proxy variables of the environment are
 * ignored, because a proxy resolves names without this check.
 */
export function createGuardedFetch(options: FetchGuardOptions = {}): GuardedFetch {
  const resolve = options.resolve ?? resolveBySystem
  const allow = new Set((options.allow ?? []).map((entry) => entry.toLowerCase()))
  return async (request) => {
    const limit = request.timeoutMs ?? 30_000
    const timer = timeLimit(limit)
    const signal = request.signal ? AbortSignal.any([request.signal, timer]) : timer
    let hop: RequestHop | undefined
    try {
      hop = createFirstHop(request)
      const passed: string[] = []
      for (let count = 0; count <= redirects; count++) {
        if (count > 0) await request.judge?.(hop.url)
        const isKnown = hop.trusted && (allow.has(hostPortOf(hop.url)) || request.allows?.(hop.url) === true)
        const addresses = await judgeHost(hop.url.hostname, isKnown, resolve, signal)
        const answer = await sendHop(hop, addresses, signal, request.maxBytes ?? 2 << 20)
        if (!('location' in answer)) return asResponse(hop.url, answer, passed)
        hop = followRedirect(hop, answer, isKnown)
        passed.push(hop.url.href)
      }
      throw networkError(`${request.url} leads to more than ${redirects} redirects`)
    } catch (error) {
      throw explainError(error, describeHost(request, hop), request.signal, timer, limit)
    }
  }
}

function createFirstHop({ url, method, headers, body }: FetchRequest): RequestHop {
  const lower = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    url: parseUrl(url),
    method: method ?? 'GET',
    headers: Object.fromEntries(lower.filter(([name]) => name !== 'host' && name !== 'accept-encoding')),
    body,
    trusted: true,
  }
}

/**
 * Returns the next request after a redirect, by the rules of fetch: 303, and 301 or 302 after POST, use GET
 * without a body. At another origin, only harmless headers stay.
 */
function followRedirect(hop: RequestHop, { status, location }: RedirectAnswer, trusted: boolean): RequestHop {
  const url = parseUrl(location, hop.url)
  const get = hop.method === 'POST' && status <= 303
  const dropped = (name: string) =>
    (url.origin !== hop.url.origin && !harmless.has(name)) || (get && name === 'content-type')
  return {
    url,
    method: get ? 'GET' : hop.method,
    headers: Object.fromEntries(Object.entries(hop.headers).filter(([name]) => !dropped(name))),
    body: get ? undefined : hop.body,
    trusted,
  }
}

function parseUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href))
    throw blockedError(`${hideUrlSecrets(text)} is not an address that can be fetched`)
  const url = new URL(text, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw blockedError(`${url.protocol} addresses cannot be fetched, only http and https`)
  }
  if (url.username !== '' || url.password !== '')
    throw blockedError(`the address of ${url.host} holds a user name`)
  return url
}

/** Returns `host:port` with an explicit port. */
function hostPortOf(url: URL): string {
  return `${url.hostname}:${portOf(url)}`
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80')
}

interface RedirectAnswer {
  status: number
  location: string
}

interface CompleteAnswer {
  status: number
  headers: Record<string, string>
  bytes: Buffer
  cut: boolean
}

/** Returns a response whose text is decoded at each access. */
function asResponse(url: URL, arrived: CompleteAnswer, passed: readonly string[]): FetchResponse {
  const { bytes, headers, cut: isCut } = arrived
  return {
    ...arrived,
    url: url.href,
    redirects: passed,
    get body() {
      return decodeBody(bytes, headers['content-type'], isCut)
    },
  }
}

/** Sends one request over a separate connection to one of `addresses` only. */
async function sendHop(
  hop: RequestHop,
  addresses: readonly string[],
  signal: AbortSignal,
  maxBytes: number,
): Promise<CompleteAnswer | RedirectAnswer> {
  const connect = buildConnector({
    lookup: createLookup(addresses),
    autoSelectFamily: true,
    // The connection has no separate time limit, because the signal applies the limit of the whole request.
    timeout: 0,
  } as buildConnector.BuildOptions)
  const client = new Client(hop.url.origin, { connect, pipelining: 0, headersTimeout: 0, bodyTimeout: 0 })
  try {
    const { statusCode, headers, body } = await client.request({
      path: hop.url.pathname + hop.url.search,
      method: hop.method,
      headers: { ...hop.headers, 'accept-encoding': acceptedEncodings },
      body: hop.body,
      signal,
    })
    const flat = flattenHeaders(headers)
    if (redirecting.has(statusCode) && flat.location !== undefined) {
      body.on('error', () => undefined).destroy()
      return { status: statusCode, location: flat.location }
    }
    return { status: statusCode, headers: flat, ...(await readBody(body, flat, maxBytes)) }
  } finally {
    await client.destroy()
  }
}

function flattenHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const pairs = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(pairs.map(([name, value]) => [name, [value].flat().join(', ')]))
}

/**
 * Returns the host to which the last request went; after a redirect from another host, with the host of
 * the first request.
 */
function describeHost({ url }: FetchRequest, hop: RequestHop | undefined): string {
  const first = URL.canParse(url) ? new URL(url).host : hideUrlSecrets(url)
  const host = hop?.url.host ?? first
  return host === first ? host : `${host} (redirected from ${first})`
}

/**
 * Returns the FailureError for a network error, a passed time limit or an abort. A FailureError is returned
 * unchanged, and so is an error without a code, which is a mistake in code.
 */
function explainError(
  error: unknown,
  host: string,
  signal: AbortSignal | undefined,
  timer: AbortSignal,
  limit: number,
): unknown {
  if (error instanceof FailureError) return error
  if (signal?.aborted) {
    return new FailureError({ code: 'cancelled', message: `the request to ${host} was cancelled` }, error)
  }
  if (timer.aborted) {
    return new FailureError({ code: 'timeout', message: `${host} did not answer within ${limit} ms` }, error)
  }
  // An error of the system has a code; an error without a code is a mistake in code.
  const code = codeOf(error)
  if (code === undefined) return error
  return networkError(`${host}: ${phraseNetworkError(code) ?? messageOf(error)} (${code})`, error)
}
