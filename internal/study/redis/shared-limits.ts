// The rate limits of providers in a Redis server, so that the workers of all machines share them.
import type { SharedLimits } from '../../model/limits/shared-limits.ts'
import type { RedisServer } from './server.ts'

/** Milliseconds after the last change at which the server deletes a limit. No limit lasts longer. */
const expiryMs = 600_000

/**
 * Largest number of attempts to change a limit. An attempt fails only if another process changes the limit at
 * the same time.
 */
const maxAttempts = 50

/**
 * Script that writes the new text and returns 1, or returns 0 if another process has changed the old text.
 */
const exchange = `
local old = redis.call('GET', KEYS[1]) or ''
if old ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`

/**
 * Returns the limits on `server`. The names under which they are stored contain hashes, never the API key of
 * a provider. `change` rejects while the server cannot be reached, and after 50 failed attempts.
 */
export function redisLimits(server: RedisServer): SharedLimits {
  return {
    async change(name, work) {
      const key = `anode:limits:${name}`
      for (let tries = 1; ; tries++) {
        // an outage of the server must not delay a request, because the provider itself enforces its limits
        if (server.client.status !== 'ready') throw new Error('the server cannot be reached')
        const [time, old] = await server.ask((client) => Promise.all([client.time(), client.get(key)]))
        const now = Number(time[0]) * 1000 + Math.floor(Number(time[1]) / 1000)
        const { text, value } = work(old ?? undefined, now)
        if (text === undefined) return value
        const done = await server.ask((client) => client.eval(exchange, 1, key, old ?? '', text, expiryMs))
        if (done === 1) return value
        if (tries >= maxAttempts) throw new Error('others change the limit all the time')
      }
    },
  }
}
