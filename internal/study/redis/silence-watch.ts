// Watch for a server that keeps its connections but answers nothing, or that never comes back.
import type { Redis } from 'ioredis'

interface WatchOptions {
  /** URL of the server without its password. */
  shown: string
  /** Returns the time (ms since 1970) until which an outage is tolerated. Default: `patienceMs` decides. */
  giveUpAt?: () => number | undefined
  patienceMs: number
  say?: (text: string) => void
  /** Called once, when an outage has lasted longer than the limit. */
  lose: () => void
}

/** Milliseconds between two checks whether the server answers. */
const checkMs = 400
/**
 * Number of consecutive checks without an answer after which a server counts as silent. It is a number and
 * not a time, because this process may be paused.
 */
const silentChecks = 8

const timeLeft = (ms: number): string =>
  ms >= 60_000 ? `${Math.round(ms / 60_000)} min` : `${Math.max(0, Math.round(ms / 1000))} s`

/** Returns a notice that Anode waits for a server, with the remaining time in minutes or seconds. */
export const describeWait = (displayUrl: string, leftMs: number): string =>
  `waits for ${displayUrl}, ${timeLeft(leftMs)} left`

/**
 * Pings the server every `checkMs` and calls `lose` if an outage exceeds the limit. Returns a function that
 * ends the watch.
 */
export function watchSilence(client: Redis, options: WatchOptions): () => void {
  let unanswered = 0
  let isAsked = false
  let awaySince: number | undefined
  let isAnnounced = false
  const answered = () => {
    isAsked = false
    unanswered = 0
  }
  const check = () => {
    if (client.status === 'ready' && !isAsked) {
      isAsked = true
      client.ping().then(answered, answered)
    }
    unanswered = client.status === 'ready' ? unanswered + 1 : silentChecks
    if (unanswered < silentChecks) {
      if (isAnnounced) options.say?.(`${options.shown} answers again`)
      isAnnounced = false
      awaySince = undefined
      return
    }
    awaySince ??= Date.now()
    const end = options.giveUpAt?.() ?? awaySince + options.patienceMs
    if (!isAnnounced && client.status === 'ready') {
      isAnnounced = true
      options.say?.(describeWait(options.shown, end - Date.now()))
    }
    if (Date.now() < end) return
    clearInterval(timer)
    options.lose()
  }
  const timer = setInterval(() => setImmediate(check), checkMs)
  timer.unref()
  return () => clearInterval(timer)
}
