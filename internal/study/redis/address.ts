// Where a Redis server is: addresses as they are used, and as they may be stored and shown.
import { UserError } from '../../base/errors.ts'

/** `url` is for connecting and may hold a password; `shown` never does. */
export interface RedisAddress {
  url: string
  shown: string
}

/** Reads `redis[s]://[user:pass@]host[:port][/db]`; throws UserError, without the password in its words. */
export function parseRedisAddress(text: string): RedisAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const db = url?.pathname.replace(/^\/$/, '') ?? ''
  const good =
    url && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && (db === '' || /^\/\d{1,4}$/.test(db))
  if (!good) {
    throw new UserError(`not an engine: ${hidePassword(text)}`, {
      hint: 'Use redis://[user:pass@]host:port[/db], rediss://… for TLS, or embedded.',
    })
  }
  url.search = ''
  url.hash = ''
  return { url: url.href, shown: hidePassword(url.href) }
}

/** The same text without what stands between the scheme and the last `@`, except for a user's name. */
export function hidePassword(text: string): string {
  return text.replace(/^(\w+:\/\/)?([^:@/]*)(:.*)?@/, (_, scheme = '', user = '') =>
    user === '' ? scheme : `${scheme}${user}@`,
  )
}
