// Connection to a Redis server: checked at the start, restored after outages, with
// Anode's own error messages.
import type { Redis } from 'ioredis'
import { FailureError, messageOf, UserError } from '../../base/errors.ts'
import { createUlid } from '../../base/ids.ts'
import { parseRedisAddress, type RedisAddress } from './address.ts'
import type { LuaScript } from './lua-script.ts'
import { findUnsafeSettings } from './server-check.ts'

interface RedisServerOptions {
  /** True to continue with a server that fails the check. The notice is in `RedisServer.notes`. */
  unsafe?: boolean
  /** Maximum milliseconds of an outage before commands fail. Default: 20 minutes. */
  patienceMs?: number
  /**
   * Returns the time, in ms since 1970, until which outages are waited out
   * instead. Undefined: `patienceMs` applies.
   */
  giveUpAt?: () => number | undefined
  /** Called when the connection is lost and when it is restored. */
  say?: (text: string) => void
}

export interface RedisServer {
  readonly address: RedisAddress
  readonly client: Redis
  /** Notices for the user, for example that the server may lose data that it has acknowledged. */
  readonly notes: readonly string[]
  /** Aborts when an outage has lasted longer than the limit. The reason is the FailureError `io`. */
  readonly lost: AbortSignal
  /**
   * Runs a script over the keys that begin with `prefix` and returns its answer. A script that writes runs
   * once, even if the connection breaks several times. Rejects with FailureError `io` if an outage lasts
   * longer than the limit.
   */
  run<T>(script: LuaScript, prefix: string, args: object, writes?: boolean): Promise<T>
  /** Runs plain commands in the same way. */
  ask<T>(command: (client: Redis) => Promise<T>): Promise<T>
  /** Opens another connection to the same server for a separate purpose. The caller closes it. */
  another(): Redis
  close(): Promise<void>
}

const defaultPatience = 20 * 60_000

/** Connects and checks the server. Throws UserError if it does not answer or is unsafe. */
export async function openRedisServer(url: string, options: RedisServerOptions = {}): Promise<RedisServer> {
  const address = parseRedisAddress(url)
  const client = await connect(address, options)
  try {
    const notes = await check(client, options.unsafe === true)
    return serve(client, address, notes)
  } catch (error) {
    client.disconnect()
    throw error
  }
}

async function connect({ url, shown }: RedisAddress, options: RedisServerOptions): Promise<Redis> {
  const { Redis } = await import('ioredis')
  const { patienceMs = defaultPatience, giveUpAt, say } = options
  let lost: number | undefined
  let ready = false
  const client = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    connectTimeout: 5_000,
    retryStrategy: (times) => {
      if (!ready) return null
      // events of additional connections arrive here too
      if (lost === undefined) say?.(`${shown} does not answer; trying again`)
      lost ??= Date.now()
      return Date.now() > (giveUpAt?.() ?? lost + patienceMs) ? null : Math.min(50 * 2 ** times, 5_000)
    },
  })
  let last: unknown
  client.on('error', (error: unknown) => {
    last = error
  })
  client.on('ready', () => {
    if (lost !== undefined) say?.(`${shown} answers again`)
    lost = undefined
    ready = true
  })
  try {
    await client.connect()
  } catch (error) {
    client.disconnect()
    throw unreachable(shown, last ?? error)
  }
  return client
}

function unreachable(shown: string, cause: unknown): UserError {
  const why = messageOf(cause)
  if (/WRONGPASS|NOAUTH|invalid password|Authentication/i.test(why)) {
    return new UserError(`${shown} does not accept the user or password`, {
      hint: 'Give the whole address, password included, by --engine or ANODE_ENGINE.',
    })
  }
  const words = (cause as { code?: string }).code ?? why
  return new UserError(`${shown} does not answer: ${words}`, {
    hint: 'Start the server, or use --engine embedded.',
    cause,
  })
}

async function check(client: Redis, anyway: boolean): Promise<string[]> {
  const fault = findUnsafeSettings(await client.info())
  if (fault === undefined) return []
  if (!anyway) {
    throw new UserError(`engine unsafe: ${fault}`, { hint: '--engine-unsafe starts anyway.' })
  }
  return [`engine unsafe: ${fault}`]
}

function serve(client: Redis, address: RedisAddress, notes: readonly string[]): RedisServer {
  const ask = async <T>(command: (client: Redis) => Promise<T>) => {
    try {
      return await command(client)
    } catch (error) {
      throw translate(error, address)
    }
  }
  const known = new Set<string>()
  const lost = new AbortController()
  let closing = false
  client.once('end', () => {
    if (!closing) lost.abort(translate(new Error('no answer for too long'), address))
  })
  return {
    lost: lost.signal,
    address,
    client,
    notes,
    ask,
    run: async <T>({ lua, sha }: LuaScript, prefix: string, args: object, writes = true) => {
      const values = [1, prefix, writes ? createUlid() : '', JSON.stringify(args)] as const
      const text = await ask(async () => {
        if (known.has(sha)) {
          try {
            return await client.evalsha(sha, ...values)
          } catch (error) {
            // the server has been restarted since
            if (!messageOf(error).startsWith('NOSCRIPT')) throw error
          }
        }
        const reply = await client.eval(lua, ...values)
        known.add(sha)
        return reply
      })
      return JSON.parse(String(text)) as T
    },
    another: () => {
      const other = client.duplicate()
      other.on('error', () => undefined)
      return other
    },
    close: async () => {
      closing = true
      client.disconnect()
    },
  }
}

/**
 * Translates an error. Problems of the server or the connection become `io`; an error in Anode's own script
 * is a bug and stays unchanged.
 */
function translate(error: unknown, { shown }: RedisAddress): unknown {
  const why = messageOf(error)
  const full = /\bOOM command not allowed/.test(why)
  const ours = !full && /^ERR (Error|user_script|wrong|unknown)/i.test(why)
  if (ours || error instanceof FailureError) return error
  return new FailureError(
    {
      code: 'io',
      message: full ? `${shown} has no memory left` : `${shown} is lost: ${why.split('\n')[0] ?? ''}`,
      hint: full
        ? 'Raise its maxmemory; nothing of the study is lost.'
        : 'When it is back, run `anode study resume`.',
    },
    error,
  )
}
