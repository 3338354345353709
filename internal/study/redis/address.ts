// URLs of Redis servers: with the password for connecting, and without it for storing and showing.
import { UserError } from '../../base/errors.ts'
import { encodeCredentials, hideUrlSecrets } from '../../base/url-credentials.ts'

/**
 * URLs of a server: `url` is for connecting and may contain a password; `shown` is for messages
 * and never does.
 */
export interface RedisAddress {
  url: string
  shown: string
}

/**
 * Parses `redis[s]://[user:pass@]host[:port][/db]`, and drops a query and a fragment. Throws UserError for
 * any other text; the message never contains the password.
 */
export function parseRedisAddress(text: string): RedisAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const db = url?.pathname.replace(/^\/$/, '') ?? ''
  const good =
    url && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && (db === '' || /^\/\d{1,4}$/.test(db))
  if (!good) {
    throw new UserError(`not an engine: ${hideUrlSecrets(text)}`, {
      hint: 'Use redis://[user:pass@]host:port[/db], rediss://… for TLS, or embedded.',
    })
  }
  encodeCredentials(url)
  url.search = ''
  url.hash = ''
  return { url: url.href, shown: hidePassword(url.href) }
}

/** Returns the URL without the text between the scheme and the last `@`; only a user name stays. */
export function hidePassword(text: string): string {
  const at = text.lastIndexOf('@')
  if (at < 0) return text
  const [, scheme = '', secret = ''] = /^(\w+:\/\/)?(.*)$/s.exec(text.slice(0, at)) ?? []
  const user = /^[^:@/?#]*(?=:|$)/.exec(secret)?.[0] ?? ''
  return `${scheme}${user === '' ? '' : `${user}@`}${text.slice(at + 1)}`
}
