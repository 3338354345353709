// Credentials of the web page: a cookie that scripts cannot read, and a key that browsers do not send
// to other ports.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * The credentials of one page session. Browsers send cookies of a host to all of its ports, so the
 * cookie alone is not enough: the page also sends the key in a header, which forms and pages of other
 * sites cannot set.
 */
export interface PageSession {
  /** Value of the header `Set-Cookie`. */
  cookie: string
  key: string
}

export const pageKeyHeader = 'x-anode-page'

const cookieName = (host: string) => `anode-${host.replace(/^.*:/, '')}`

const signText = (secret: string, what: string, text: string) =>
  createHmac('sha256', secret).update(`anode ${what} ${text}`).digest('base64url')

/**
 * Creates a page session with the rights of the token with this hash, on the port of `host`. It ends when the
 * token becomes invalid or the secret changes. With `isSecure`, browsers send the cookie only over https.
 */
export function openPageSession(
  secret: string,
  host: string,
  tokenHash: string,
  isSecure: boolean,
): PageSession {
  const value = `${tokenHash}.${randomBytes(32).toString('base64url')}`
  const cookie = `${cookieName(host)}=${value}.${signText(secret, 'cookie', value)}`
  return {
    cookie: `${cookie}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
    key: signText(secret, 'key', value),
  }
}

/**
 * Returns the hash of the token of a page session; undefined if the cookie or the key is wrong or missing.
 * Does not check whether the token is still valid.
 */
export function readPageSession(secret: string, headers: Headers): string | undefined {
  const name = cookieName(headers.get('host') ?? '')
  const cookies = (headers.get('cookie') ?? '').split(/;\s*/)
  const text = cookies.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1)
  const [, value = '', tokenHash = '', mac = ''] =
    /^(([0-9a-f]{64})\.[\w-]{43})\.([\w-]{43})$/.exec(text ?? '') ?? []
  const key = headers.get(pageKeyHeader) ?? ''
  const isOurs = isSame(mac, signText(secret, 'cookie', value)) && isSame(key, signText(secret, 'key', value))
  return isOurs ? tokenHash : undefined
}

function isSame(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
