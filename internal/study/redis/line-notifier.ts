// Notifier that wakes readers when a log gets a new line. The server announces new lines over a connection.
// In case an announcement was lost, a waiting reader also asks the server every few seconds, and when the
// connection is restored.
import type { Redis } from 'ioredis'
import type { RedisServer } from './server.ts'

export interface LineNotifier {
  /**
   * Resolves when the log of a channel has a line with a number above `after`, after `ms` milliseconds, or
   * when `signal` aborts. `readLast` asks the server for the number of the last line. Rejects with the error
   * of `readLast`, and if the server does not accept the subscription.
   */
  waitPast(
    channel: string,
    after: number,
    ms: number,
    signal: AbortSignal,
    readLast: () => Promise<number>,
  ): Promise<void>
  /**
   * Forgets announcements of lines above `after`, because a reader has not found these lines. The next wait
   * asks the server.
   */
  doubt(channel: string, after: number): void
  close(): void
}

/** Milliseconds after which a waiting reader asks the server, in case an announcement was lost. */
const checkMs = 5_000

/** The known state of the log of one channel. */
interface KnownLog {
  /** Number of the newest line that was announced or read. */
  newest: number
  /** Time of the last request to the server for the newest line, by the monotonic clock. */
  askedMs: number
  /** Resolves when the server announces lines of the channel from now on; rejects if it cannot. */
  listening: Promise<unknown>
}

export function createLineNotifier(server: RedisServer): LineNotifier {
  const logs = new Map<string, KnownLog>()
  const waiting = new Set<() => void>()
  let opened: Redis | undefined
  const wakeAll = () => {
    for (const wake of [...waiting]) wake()
  }
  const open = () => {
    const connection = server.another()
    connection.on('message', (name: string, number: string) => {
      const log = logs.get(name)
      if (log) log.newest = Math.max(log.newest, Number(number))
      wakeAll()
    })
    // Announcements are lost during a lost connection, and a restarted server may have lost lines.
    connection.on('ready', () => {
      for (const log of logs.values()) resetLog(log)
      wakeAll()
    })
    return connection
  }
  const listen = async (channel: string): Promise<KnownLog> => {
    let log = logs.get(channel)
    if (!log) {
      opened ??= open()
      const listening = opened.subscribe(channel)
      // after a failure, the next wait subscribes again
      listening.catch(() => logs.delete(channel))
      log = { newest: 0, askedMs: Number.NEGATIVE_INFINITY, listening }
      logs.set(channel, log)
    }
    await log.listening
    return log
  }
  return {
    async waitPast(channel, after, ms, signal, readLast) {
      const end = performance.now() + ms
      const log = await listen(channel)
      for (;;) {
        if (log.newest <= after && isDue(log)) {
          log.askedMs = performance.now()
          log.newest = Math.max(log.newest, await readLast())
        }
        const restMs = end - performance.now()
        if (log.newest > after || restMs <= 0 || signal.aborted) return
        const dueMs = log.askedMs + checkMs - performance.now()
        await sleepUntil(waiting, () => log.newest > after || isDue(log), Math.min(restMs, dueMs), signal)
      }
    },
    doubt(channel, after) {
      const log = logs.get(channel)
      if (log && log.newest > after) resetLog(log)
    },
    close: () => opened?.disconnect(),
  }
}

const isDue = ({ askedMs }: KnownLog): boolean => performance.now() - askedMs >= checkMs

function resetLog(log: KnownLog): void {
  log.newest = 0
  log.askedMs = Number.NEGATIVE_INFINITY
}

/**
 * Adds a function to `wakers` and waits until that function is called while `isOver` returns true, until `ms`
 * milliseconds have passed, or until `signal` aborts.
 */
function sleepUntil(
  wakers: Set<() => void>,
  isOver: () => boolean,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      wakers.delete(wake)
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      done()
    }
    const wake = () => {
      if (isOver()) end()
    }
    const timer = setTimeout(end, Math.max(1, Math.ceil(ms)))
    signal.addEventListener('abort', end)
    wakers.add(wake)
  })
}
