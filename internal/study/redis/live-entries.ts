// Entries on a server that live while their process renews them: workers, and commits that studies want.
import type { RedisServer } from './server.ts'

/** Milliseconds between two renewals. After `maxAgeMs` without a renewal, an entry no longer counts. */
const renewMs = 5_000
const maxAgeMs = 20_000

/** Milliseconds after which the server deletes a collection without renewals. */
const expiryMs = 3_600_000

export interface LiveEntry {
  /** Writes the entry now instead of at the next renewal. */
  renew(): Promise<void>
  /** Removes the entry. An error is ignored, because the entry soon counts as old. */
  remove(): Promise<void>
}

/**
 * Writes the entry `id` of the collection `name`, and renews it with the result of `describe` until it is
 * removed. Rejects if the first write fails. Ages are measured by the server's clock.
 */
export async function keepLiveEntry(
  server: RedisServer,
  name: string,
  id: string,
  describe: () => unknown,
): Promise<LiveEntry> {
  const key = keyOf(name)
  let isRemoved = false
  const renew = () =>
    server.ask(async (client) => {
      const at = await readClock(server)
      if (isRemoved) return
      await client.hset(key, id, JSON.stringify({ at, value: describe() }))
      await client.pexpire(key, expiryMs)
    })
  await renew()
  // an error is ignored, because other commands fail too and report it
  const timer = setInterval(() => void renew().catch(() => undefined), renewMs)
  return {
    renew,
    async remove() {
      isRemoved = true
      clearInterval(timer)
      if (server.client.status === 'ready') await server.client.hdel(key, id).catch(() => undefined)
    },
  }
}

/**
 * Returns the values of all entries of a collection that were renewed in the last 20 seconds, by their ids.
 * Removes the other entries.
 */
export async function readLiveEntries(server: RedisServer, name: string): Promise<Map<string, unknown>> {
  const all = await server.ask((client) => client.hgetall(keyOf(name)))
  const now = await readClock(server)
  const values = new Map<string, unknown>()
  for (const [id, text] of Object.entries(all)) {
    const entry = parseEntry(text)
    if (entry && entry.at > now - maxAgeMs) values.set(id, entry.value)
    else await server.ask((client) => client.hdel(keyOf(name), id))
  }
  return values
}

const keyOf = (name: string) => `anode:${name}`

async function readClock(server: RedisServer): Promise<number> {
  const [seconds, micros] = await server.ask((client) => client.time())
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
}

function parseEntry(text: string): { at: number; value: unknown } | undefined {
  try {
    const entry = JSON.parse(text) as { at?: unknown; value?: unknown } | null
    return typeof entry?.at === 'number' ? { at: entry.at, value: entry.value } : undefined
  } catch {
    return undefined
  }
}
