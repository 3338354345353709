// Reader of the rate limits in the headers of a provider's response.
import type { IncomingHttpHeaders } from 'node:http'
import { parseWait, retryAfter } from '../wire/retry-after.ts'

/** One of the limits that a provider counts separately. */
interface RateLimit {
  limit: number
  remaining: number
  /** Milliseconds from now until the limit is full again, at most `maxResetMs`. */
  resetMs: number
  /** True if no response has stated `limit`. */
  isGuess?: boolean
}

/** Longest wait in milliseconds that a header can cause; a longer one is shortened. */
export const maxResetMs = 60_000

/**
 * Header names. OpenAI and compatible endpoints: `x-ratelimit-remaining-requests` and others, resets as
 * durations (platform.openai.com/docs/guides/rate-limits). Anthropic:
 * `anthropic-ratelimit-requests-remaining`, resets as times (docs.anthropic.com/en/api/rate-limits).
 */
const openaiKinds = ['requests', 'tokens'] as const
const anthropicKinds = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const

/**
 * Pause in milliseconds after a 429 that does not say when to try again. Not longer than the pause of
 * the refused request, so that it is not delayed twice.
 */
const unstatedPauseMs = 250

/**
 * Returns the limits by kind, without incomplete and implausible ones. If `status` is 429, no request
 * remains until the time in a header, else for `bodyWaitMs`, which is the wait in the text of the response,
 * else for a short pause unless a limit is used up. At most for `maxResetMs`.
 */
export function readRateLimits(
  status: number,
  headers: IncomingHttpHeaders,
  now: number,
  bodyWaitMs?: number,
): Record<string, RateLimit> {
  const limits: Record<string, RateLimit> = {}
  const get = (name: string) => [headers[name]].flat()[0]
  // reset times use the provider's clock, and the header `date` shows how far that clock differs
  // from this one
  const theirs = Date.parse(get('date') ?? '')
  const clock = Number.isNaN(theirs) ? now : theirs
  for (const kind of openaiKinds) {
    const at = (what: string) => get(`x-ratelimit-${what}-${kind}`)
    addLimit(limits, kind, at('limit'), at('remaining'), parseWait(at('reset'), clock))
  }
  for (const kind of anthropicKinds) {
    const at = (what: string) => get(`anthropic-ratelimit-${kind}-${what}`)
    addLimit(limits, kind, at('limit'), at('remaining'), parseWait(at('reset'), clock))
  }
  if (status !== 429) return limits
  const isUsedUp = Object.values(limits).some(({ remaining }) => remaining === 0)
  const wait = retryAfter(headers, clock) ?? bodyWaitMs ?? (isUsedUp ? 0 : unstatedPauseMs)
  if (wait <= 0) return limits
  const { requests } = limits
  const pause = { remaining: 0, resetMs: Math.min(wait, maxResetMs) }
  limits.requests = requests ? { limit: requests.limit, ...pause } : { limit: 1, ...pause, isGuess: true }
  return limits
}

function addLimit(
  limits: Record<string, RateLimit>,
  kind: string,
  limitText: string | undefined,
  remainingText: string | undefined,
  resetMs: number | undefined,
): void {
  const [limit, remaining] = [limitText, remainingText].map((text) => Number(text?.trim() || Number.NaN))
  if (limit === undefined || remaining === undefined || resetMs === undefined) return
  // Azure writes -1 for limits that it does not count
  if (!(limit >= 1 && remaining >= 0 && remaining <= limit && Number.isFinite(limit))) return
  limits[kind] = { limit, remaining, resetMs: Math.min(resetMs, maxResetMs) }
}
