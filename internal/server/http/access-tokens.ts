// Access tokens of 256 bits, stored as hashes, each with scopes and an expiry.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Rights of an access token, each of which includes the rights before it. `read`: view; `act`: send messages,
 * steer and stop runs; `approve`: approve calls, and change what runs without approval.
 */
export const accessScopes = ['read', 'act', 'approve'] as const
export type AccessScope = (typeof accessScopes)[number]

export interface StoredToken {
  /** SHA-256 of the token, in hex. */
  hash: string
  scopes: readonly AccessScope[]
  /** Expiry in milliseconds since 1970; null if the token is valid until it is removed. */
  expires: number | null
}

export const createToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Returns a scope with all scopes before it, because each scope includes the previous ones. */
export function scopesUpTo(scope: AccessScope): AccessScope[] {
  return accessScopes.slice(0, accessScopes.indexOf(scope) + 1)
}

/**
 * Returns the stored token that equals `token` and has not expired; undefined without one. It compares all
 * tokens completely, so that its duration does not show which characters of the token are right.
 */
export function findToken(
  tokens: readonly StoredToken[],
  token: string,
  now: number,
): StoredToken | undefined {
  return findTokenByHash(tokens, hashToken(token), now)
}

export function findTokenByHash(
  tokens: readonly StoredToken[],
  hexHash: string,
  now: number,
): StoredToken | undefined {
  const hash = Buffer.from(hexHash, 'hex')
  let token: StoredToken | undefined
  for (const one of tokens) {
    const isSame = timingSafeEqual(Buffer.from(one.hash, 'hex'), hash)
    if (isSame && (one.expires === null || one.expires > now)) token = one
  }
  return token
}
