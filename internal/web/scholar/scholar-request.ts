// One request to a scholarly engine. It may not leave the engine's host.
import { FailureError } from '../../base/errors.ts'
import type { FetchRequest, GuardedFetch } from '../../net/guarded-fetch.ts'
import { answerOf, refusedError } from '../search/web-query.ts'

/**
 * Returns the text of an engine's response. `remedy` is the hint of the error for the statuses 401, 403 and
 * 429. Rejects as GuardedFetch does, and with FailureError `network` for any status but 200, a redirect to
 * another host, and a response that is too long.
 */
export async function askEngine(
  name: string,
  fetch: GuardedFetch,
  request: FetchRequest,
  remedy: string,
): Promise<string> {
  const { hostname } = new URL(request.url)
  const answer = await answerOf(
    name,
    fetch,
    {
      timeoutMs: 15_000,
      ...request,
      headers: { accept: 'application/json', 'user-agent': 'anode', ...request.headers },
      async judge(hop) {
        if (hop.hostname === hostname) return
        throw refusedError(`${name} leads to ${hop.hostname}, which was not asked`)
      },
    },
    { 401: remedy, 403: remedy, 429: remedy },
  )
  if (answer.cut) throw refusedError(`${name} sent more than is read`)
  return answer.body
}

/**
 * Returns the range of years of a query as `write` formats it; undefined without years. An open end is
 * an empty text.
 */
export function yearRange(
  { fromYear, toYear }: { fromYear?: number | undefined; toYear?: number | undefined },
  write: (from: string, to: string) => string,
): string | undefined {
  if (fromYear === undefined && toYear === undefined) return undefined
  return write(fromYear === undefined ? '' : String(fromYear), toYear === undefined ? '' : String(toYear))
}

/**
 * Returns the failures of all engines as one: the first code, every message, and the first hint, or else the
 * advice to check the connection.
 */
export function joinFailures(failures: readonly FailureError[]): FailureError {
  const firstHint = failures.map(({ failure }) => failure.hint).find((text) => text !== undefined)
  const hint = firstHint ?? 'Searching needs the network: check the connection.'
  const [first] = failures
  const code = first?.failure.code ?? 'network'
  const message = failures.map(({ failure }) => failure.message).join('; then: ')
  return new FailureError({ code, message, hint }, first)
}
