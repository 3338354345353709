// What every request has to pass before anything looks at it: host, origin, token, scope, rate.
import { type AccessScope, findToken, type StoredToken } from './access-tokens.ts'
import { ProblemError } from './problem.ts'

/** Requests that one token may make in a second. */
const maxRate = 50

interface GuardOptions {
  /** As they are now: a token that was removed is worth nothing at once. */
  tokens(): Promise<readonly StoredToken[]>
  /** `host:port` that requests over TCP may name; asked with each, as the port is known late. */
  hosts(): readonly string[]
}

export interface RequestGuard {
  /** The scopes of whoever asks. Throws ProblemError 401, 403, 421 or 429. */
  admit(request: Request, isLocalSocket: boolean): Promise<readonly AccessScope[]>
}

export function createRequestGuard({ tokens, hosts }: GuardOptions): RequestGuard {
  const buckets = new Map<string, { second: number; count: number }>()
  return {
    async admit(request, isLocalSocket) {
      if (!isLocalSocket) checkHost(request, hosts())
      checkOrigin(request, hosts())
      const [, given = ''] = /^Bearer ([\w-]{43})$/.exec(request.headers.get('authorization') ?? '') ?? []
      const token = findToken(await tokens(), given, Date.now())
      if (!token)
        throw new ProblemError(
          401,
          'this needs a token',
          'send `Authorization: Bearer TOKEN`; see `anode serve token`',
        )
      const second = Math.floor(Date.now() / 1000)
      const bucket = buckets.get(token.hash)
      const count = bucket?.second === second ? bucket.count + 1 : 1
      buckets.set(token.hash, { second, count })
      if (count > maxRate) throw new ProblemError(429, `more than ${maxRate} requests in a second`)
      return token.scopes
    },
  }
}

/** The names under which programs of this machine reach a port of it. */
export const loopbackHosts = (port: number) => [`127.0.0.1:${port}`, `localhost:${port}`]

/** A name of somebody else's that leads here is refused, whatever address it has been bound to. */
function checkHost(request: Request, hosts: readonly string[]): void {
  const host = request.headers.get('host')?.toLowerCase() ?? ''
  if (!hosts.includes(host)) throw new ProblemError(421, 'this server has another name')
}

/** Pages of others may not ask, not even to read; programs name no origin. */
function checkOrigin(request: Request, hosts: readonly string[]): void {
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  const isOwn = origin === null || hosts.some((host) => origin === `http://${host}`)
  if (!isOwn || (site !== null && site !== 'same-origin' && site !== 'none'))
    throw new ProblemError(403, 'pages of other sites may not use this server')
}

export function demandScope(scopes: readonly AccessScope[], scope: AccessScope): void {
  if (!scopes.includes(scope))
    throw new ProblemError(403, `the token has not the scope ${scope}`, `anode serve token --scope ${scope}`)
}
