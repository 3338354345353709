// Checks of every request before its route: host, origin, token, scope, rate.
import { type AccessScope, findToken, findTokenByHash, type StoredToken } from './access-tokens.ts'
import { openPageSession, type PageSession, pageKeyHeader, readPageSession } from './page-session.ts'
import { ProblemError } from './problem.ts'

/** Largest number of requests with one token in one second. Further requests get status 429. */
const maxRate = 50

/**
 * Largest number of attempts with one-time codes in one minute, for all clients together. Further attempts
 * get status 429.
 */
const maxCodeRate = 10

const codeHeader = 'x-anode-code'

interface GuardOptions {
  /**
   * Returns the stored tokens, of which some may have expired. They are read for each request, so that a
   * removed token is invalid at once.
   */
  tokens(): Promise<readonly StoredToken[]>
  /**
   * Returns the origins that TCP requests may have, such as `https://*.example.org:8443`, where `*` is one
   * part of a host name. It is called for each request, because the port is not known earlier.
   */
  origins(): readonly string[]
  /**
   * Returns the secret that signs page sessions. A new secret ends all sessions. Undefined: the server
   * has no page.
   */
  pageSecret?: () => Promise<string>
  /**
   * Uses up a one-time code. Resolves to the hash of the token whose rights the code gives; undefined if the
   * code was not valid.
   */
  takeCode?: (code: string) => Promise<string | undefined>
}

export interface RequestGuard {
  /**
   * Returns the client's token. Throws ProblemError: 401 without a valid token, 403 for a request from a page
   * of another site, 421 for a host name of another server, and 429 for too many requests. Also 403 if a
   * request with a page's key may change something but has no header `Origin`.
   */
  admit(request: Request, isLocalSocket: boolean): Promise<StoredToken>
  /**
   * Checks a request for the HTML document or a file of the page, which any client may read. Throws
   * ProblemError 421 for a host name of another server.
   */
  admitAnyone(request: Request, isLocalSocket: boolean): void
  openPage(request: Request, token: StoredToken): Promise<PageSession>
  /**
   * Opens a page session for the one-time code in a link. Only a page of this server may send the code.
   * Throws ProblemError 401 for an invalid code, 403 for any other sender, 404 if the server has no page, 421
   * for a host name of another server, and 429 for too many attempts.
   */
  openPageByCode(request: Request, isLocalSocket: boolean): Promise<PageSession>
}

export function createRequestGuard(options: GuardOptions): RequestGuard {
  const { tokens, origins, pageSecret } = options
  const buckets = new Map<string, { second: number; count: number }>()
  const openPage = async (request: Request, hash: string) => {
    if (!pageSecret) throw new ProblemError(404, 'this server has no page')
    const isSecure = findOrigin(request, origins())?.startsWith('https:') ?? false
    return openPageSession(await pageSecret(), request.headers.get('host') ?? '', hash, isSecure)
  }
  const countAttempt = limitAttempts()
  return {
    async admit(request, isLocalSocket) {
      if (!isLocalSocket) checkHost(request, origins())
      checkOrigin(request, origins())
      const token = await identifyToken(request, await tokens(), pageSecret)
      const second = Math.floor(Date.now() / 1000)
      const bucket = buckets.get(token.hash)
      const count = bucket?.second === second ? bucket.count + 1 : 1
      buckets.set(token.hash, { second, count })
      if (count > maxRate) throw new ProblemError(429, `more than ${maxRate} requests in one second`)
      return token
    },
    admitAnyone(request, isLocalSocket) {
      if (!isLocalSocket) checkHost(request, origins())
    },
    openPage: (request, { hash }) => openPage(request, hash),
    async openPageByCode(request, isLocalSocket) {
      if (!isLocalSocket) checkHost(request, origins())
      checkOrigin(request, origins())
      if (!request.headers.has('origin')) throw new ProblemError(403, 'a one-time code is only for a page')
      countAttempt()
      const hash = await options.takeCode?.(request.headers.get(codeHeader) ?? '')
      if (hash !== undefined) return openPage(request, hash)
      const hint = 'run `anode serve --open`, or paste a token from `anode serve token`'
      throw new ProblemError(401, 'this link was used before or has expired', hint)
    },
  }
}

/**
 * Returns a function that counts an attempt with a one-time code. It throws ProblemError 429 after
 * `maxCodeRate` attempts in one minute of the clock.
 */
function limitAttempts(): () => void {
  let minute = 0
  let count = 0
  return () => {
    const now = Math.floor(Date.now() / 60_000)
    count = now === minute ? count + 1 : 1
    minute = now
    if (count > maxCodeRate)
      throw new ProblemError(429, 'too many attempts with one-time codes', 'try again in one minute')
  }
}

async function identifyToken(
  { headers, method }: Request,
  tokens: readonly StoredToken[],
  pageSecret: GuardOptions['pageSecret'],
): Promise<StoredToken> {
  const bearer = headers.get('authorization')
  if (bearer === null && pageSecret && headers.has(pageKeyHeader)) {
    // Browsers send the header Origin with each request that may change something. A request without it does
    // not come from the page.
    if (method !== 'GET' && method !== 'HEAD' && !headers.has('origin'))
      throw new ProblemError(403, 'a request of a page needs the header Origin')
    const hash = readPageSession(await pageSecret(), headers)
    const token = hash === undefined ? undefined : findTokenByHash(tokens, hash, Date.now())
    if (token) return token
  }
  const [, text = ''] = /^Bearer ([\w-]{43})$/.exec(bearer ?? '') ?? []
  const token = findToken(tokens, text, Date.now())
  if (token) return token
  const hint = 'send `Authorization: Bearer TOKEN`; see `anode serve token`'
  throw new ProblemError(401, 'the request has no valid token', hint)
}

/** Returns the origins by which local programs reach a port. */
export const loopbackOrigins = (port: number) => [`http://127.0.0.1:${port}`, `http://localhost:${port}`]

/**
 * Returns true if `name` matches `pattern`. In `pattern`, `*` at the beginning or after the scheme is one
 * part of a host name.
 */
function isNamed(pattern: string, name: string): boolean {
  const [before, after] = pattern.split('*.')
  if (after === undefined) return name === pattern
  const label = name.slice(before?.length, -after.length - 1)
  return name === `${before}${label}.${after}` && /^[\w-]+$/.test(label)
}

/**
 * Returns the origin of the server that the header `Host` names; undefined if it names another host. The
 * header may contain the default port.
 */
function findOrigin({ headers }: Request, origins: readonly string[]): string | undefined {
  const host = headers.get('host')?.toLowerCase() ?? ''
  return origins.find((origin) => {
    const usualPort = origin.startsWith('https:') ? /:443$/ : /:80$/
    return isNamed(origin.replace(/^https?:\/\//, ''), host.replace(usualPort, ''))
  })
}

/**
 * Throws ProblemError 421 if the header `Host` is missing or names another host. An attacker may own that
 * host name and let it point to this server.
 */
function checkHost(request: Request, origins: readonly string[]): void {
  if (findOrigin(request, origins) === undefined)
    throw new ProblemError(421, 'the header Host does not name this server')
}

/**
 * Throws ProblemError 403 for a request from a page of another origin, even if it only reads. Programs other
 * than browsers send no origin and are accepted.
 */
function checkOrigin({ headers }: Request, origins: readonly string[]): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isOwn = origin === null || origins.some((pattern) => isNamed(pattern, origin))
  if (!isOwn || (site !== null && site !== 'same-origin' && site !== 'none'))
    throw new ProblemError(403, 'pages of other sites may not use this server')
}

export function demandScope(scopes: readonly AccessScope[], scope: AccessScope): void {
  if (!scopes.includes(scope))
    throw new ProblemError(
      403,
      `the token does not have the scope ${scope}`,
      `create one with \`anode serve token --scope ${scope}\``,
    )
}
