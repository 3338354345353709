// Connection to a Redis server: the server is checked at the start, the connection is restored after an
// outage, and errors get Anode's own messages.
import type { Redis } from 'ioredis'
import { FailureError, messageOf, UserError } from '../../base/errors.ts'
import { createUlid } from '../../base/ids.ts'
import { waitAtMost } from '../../base/time-limit.ts'
import { parseRedisAddress, type RedisAddress } from './address.ts'
import type { LuaScript } from './lua-script.ts'
import { findUnsafeSettings } from './server-check.ts'
import { describeWait, watchSilence } from './silence-watch.ts'

interface RedisServerOptions {
  /**
   * True if the user wants a server that fails the check of its settings. `RedisServer.notes` then
   * contains a notice.
   */
  unsafe?: boolean
  /** Longest outage in milliseconds before commands fail. Default: 20 minutes. */
  patienceMs?: number
  /**
   * Returns the time (ms since 1970) until which commands wait during an outage.
   * Undefined: `patienceMs` decides.
   */
  giveUpAt?: () => number | undefined
  /** Called with a text when the connection is lost, and when it is restored. */
  say?: (text: string) => void
}

export interface RedisServer {
  readonly address: RedisAddress
  readonly client: Redis
  /** Notices for the user, for example that the server may lose data that it has acknowledged. */
  readonly notes: readonly string[]
  /** Aborts when an outage lasts longer than the limit. Its reason is a FailureError `io`. */
  readonly lost: AbortSignal
  /**
   * Runs a script on the keys that begin with `prefix`, and returns its parsed JSON answer. With `writes`
   * (the default), the script has its effect once, even if the connection is lost several times. Rejects with
   * FailureError `io` if an outage lasts longer than the limit, or the server has no memory left.
   */
  run<T>(script: LuaScript, prefix: string, args: object, writes?: boolean): Promise<T>
  /** Runs plain commands of Redis and returns their result. Outages are handled as by `run`. */
  ask<T>(command: (client: Redis) => Promise<T>): Promise<T>
  /** Opens another connection to the same server for a separate purpose. The caller closes it. */
  another(): Redis
  close(): Promise<void>
}

const defaultPatience = 20 * 60_000

/** Longest pause in milliseconds between two attempts to connect again. */
const maxRetryMs = 2_000

/**
 * Longest wait in milliseconds for the first answers of a server, which may accept the connection
 * but never answer.
 */
const answerMs = 10_000
const noAnswer = `no answer within ${answerMs / 1000} s`

/**
 * Connects and checks the server. Throws UserError if the URL is invalid, the server does not answer or
 * rejects the password, or it is unsafe and `options.unsafe` is not set.
 */
export async function openRedisServer(url: string, options: RedisServerOptions = {}): Promise<RedisServer> {
  const address = parseRedisAddress(url)
  const client = await connectClient(address, options)
  try {
    const checked = await waitAtMost(checkSettings(client, options.unsafe === true), answerMs)
    if (typeof checked === 'string') throw toConnectionError(address.shown, new Error(noAnswer))
    return createServer(client, address, checked.value, options)
  } catch (error) {
    client.disconnect()
    throw error
  }
}

async function connectClient(
  { url, shown: displayUrl }: RedisAddress,
  options: RedisServerOptions,
): Promise<Redis> {
  const { Redis } = await import('ioredis')
  const { patienceMs = defaultPatience, giveUpAt, say } = options
  let lost: number | undefined
  let ready = false
  const client = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    connectTimeout: 5_000,
    disconnectTimeout: 300,
    retryStrategy: (times) => {
      if (!ready) return null
      const isFirst = lost === undefined
      lost ??= Date.now()
      const remainingMs = (giveUpAt?.() ?? lost + patienceMs) - Date.now()
      // Losses of additional connections arrive here too, so only the first one is reported.
      if (isFirst) say?.(describeWait(displayUrl, remainingMs))
      return remainingMs < 0 ? null : Math.min(50 * 2 ** times, maxRetryMs, remainingMs + 50)
    },
  })
  let last: unknown
  client.on('error', (error: unknown) => {
    last = error
  })
  client.on('ready', () => {
    if (lost !== undefined) say?.(`${displayUrl} answers again`)
    lost = undefined
    ready = true
  })
  try {
    if ((await waitAtMost(client.connect(), answerMs)) === 'late') throw new Error(noAnswer)
  } catch (error) {
    client.disconnect()
    throw toConnectionError(displayUrl, last ?? error)
  }
  return client
}

function toConnectionError(displayUrl: string, cause: unknown): UserError {
  const why = messageOf(cause)
  if (/WRONGPASS|NOAUTH|invalid password|Authentication/i.test(why)) {
    return new UserError(`${displayUrl} does not accept the user or password`, {
      hint: 'Give the whole address, password included, by --engine or ANODE_ENGINE.',
    })
  }
  const words = (cause as { code?: string }).code ?? why
  return new UserError(`${displayUrl} does not answer: ${words}`, {
    hint: 'Start the server, or use --engine embedded.',
    cause,
  })
}

async function checkSettings(client: Redis, anyway: boolean): Promise<string[]> {
  const fault = findUnsafeSettings(await client.info())
  if (fault === undefined) return []
  if (!anyway) {
    throw new UserError(`engine unsafe: ${fault}`, { hint: '--engine-unsafe starts anyway.' })
  }
  return [`engine unsafe: ${fault}`]
}

/** Returns a function that runs commands and translates their errors. */
function createAsk(client: Redis, address: RedisAddress): RedisServer['ask'] {
  return async (command) => {
    try {
      return await command(client)
    } catch (error) {
      throw translateError(error, address)
    }
  }
}

function createServer(
  client: Redis,
  address: RedisAddress,
  notes: readonly string[],
  { patienceMs = defaultPatience, giveUpAt, say }: RedisServerOptions,
): RedisServer {
  const ask = createAsk(client, address)
  const knownScripts = new Set<string>()
  const lost = new AbortController()
  let closing = false
  const others = new Set<Redis>()
  const lose = () => {
    if (closing) return
    lost.abort(translateError(new Error('no answer for too long'), address))
    // Commands that wait for an answer fail when their connection is closed. A client that is between two
    // attempts has no connection, and its next attempt ends the wait.
    for (const other of [client, ...others]) if (other.status !== 'reconnecting') other.disconnect()
  }
  client.once('end', lose)
  const endWatch = watchSilence(client, { shown: address.shown, giveUpAt, patienceMs, say, lose })
  return {
    lost: lost.signal,
    address,
    client,
    notes,
    ask,
    run: async <T>({ lua, sha }: LuaScript, prefix: string, args: object, writes = true) => {
      const values = [1, prefix, writes ? createUlid() : '', JSON.stringify(args)] as const
      const text = await ask(async () => {
        if (knownScripts.has(sha)) {
          try {
            return await client.evalsha(sha, ...values)
          } catch (error) {
            // The server was restarted and so does not know the script any more.
            if (!messageOf(error).startsWith('NOSCRIPT')) throw error
          }
        }
        const reply = await client.eval(lua, ...values)
        knownScripts.add(sha)
        return reply
      })
      return JSON.parse(String(text)) as T
    },
    another: () => {
      const other = client.duplicate()
      other.on('error', () => undefined)
      other.once('end', () => others.delete(other))
      others.add(other)
      return other
    },
    close: async () => {
      closing = true
      endWatch()
      client.disconnect()
    },
  }
}

/**
 * Returns the error to throw. A problem of the server or the connection becomes FailureError `io`. An error
 * in one of Anode's scripts is a mistake in code and stays unchanged.
 */
function translateError(error: unknown, { shown: displayUrl }: RedisAddress): unknown {
  const why = messageOf(error)
  const full = /\bOOM command not allowed/.test(why)
  const ours = !full && /^ERR (Error|user_script|wrong|unknown)/i.test(why)
  if (ours || error instanceof FailureError) return error
  return new FailureError(
    {
      code: 'io',
      message: full
        ? `${displayUrl} has no memory left`
        : `${displayUrl} is lost: ${why.split('\n')[0] ?? ''}`,
      hint: full
        ? 'Raise its maxmemory; nothing of the study is lost.'
        : 'When it is back, run `anode study resume`.',
    },
    error,
  )
}
