// One request to a scholarly engine: it stays with the engine's host, and says what a refusal calls for.
import { FailureError } from '../../base/errors.ts'
import type { FetchRequest, GuardedFetch } from '../../net/guarded-fetch.ts'
import { answerOf, refusedError } from '../search/web-query.ts'

/** The text of the reply; `remedy` is the hint where the engine has had enough of us or knows no such key. */
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

/** A range of years as an engine wants it; undefined without any. */
export function yearRange(
  { fromYear, toYear }: { fromYear?: number | undefined; toYear?: number | undefined },
  write: (from: string, to: string) => string,
): string | undefined {
  if (fromYear === undefined && toYear === undefined) return undefined
  return write(fromYear === undefined ? '' : String(fromYear), toYear === undefined ? '' : String(toYear))
}

/** The failure of all engines together: the first code, every message, and the first remedy. */
export function joinFailures(failures: readonly FailureError[]): FailureError {
  const known = failures.map(({ failure }) => failure.hint).find((text) => text !== undefined)
  const hint = known ?? 'Searching needs the network: check the connection.'
  const [first] = failures
  const code = first?.failure.code ?? 'network'
  const message = failures.map(({ failure }) => failure.message).join('; then: ')
  return new FailureError({ code, message, hint }, first)
}
