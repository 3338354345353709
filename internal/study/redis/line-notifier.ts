// Wakes readers that wait for the next line of a log. A reader that misses an announcement waits only
// one second longer.
import type { Redis } from 'ioredis'
import type { RedisServer } from './server.ts'

interface LineNotifier {
  /** Starts to listen to a channel. Announcements from then on are noticed. */
  listen(channel: string): Promise<void>
  /**
   * Resolves when a line with a number above `after` was announced, after `ms` milliseconds, or
   * when `signal` aborts.
   */
  waitPast(channel: string, after: number, ms: number, signal: AbortSignal): Promise<void>
  close(): void
}

export function createLineNotifier(server: RedisServer): LineNotifier {
  const newest = new Map<string, number>()
  const waiting = new Set<() => void>()
  let opened: Redis | undefined
  const listen = async (channel: string) => {
    if (newest.has(channel)) return
    if (!opened) {
      opened = server.another()
      opened.on('message', (name: string, number: string) => {
        newest.set(name, Math.max(newest.get(name) ?? 0, Number(number)))
        for (const wake of [...waiting]) wake()
      })
    }
    newest.set(channel, 0)
    await opened.subscribe(channel)
  }
  return {
    listen,
    async waitPast(channel, after, ms, signal) {
      if (signal.aborted || (newest.get(channel) ?? 0) > after) return
      await new Promise<void>((done) => {
        const end = () => {
          waiting.delete(wake)
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          done()
        }
        const wake = () => (newest.get(channel) ?? 0) > after && end()
        const timer = setTimeout(end, ms)
        signal.addEventListener('abort', end)
        waiting.add(wake)
      })
    },
    close: () => opened?.disconnect(),
  }
}
