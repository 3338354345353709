// Who may use the server: tokens of 256 bits, kept as hashes, each with scopes and an end.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** `read`: look; `act`: say, steer, stop; `approve`: answer for the person, and choose what runs unasked. */
export const accessScopes = ['read', 'act', 'approve'] as const
export type AccessScope = (typeof accessScopes)[number]

export interface StoredToken {
  /** SHA-256 of the token, in hex. */
  hash: string
  scopes: readonly AccessScope[]
  /** Milliseconds since 1970; null: until it is removed. */
  expires: number | null
}

export const createToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** A scope holds those before it. */
export function scopesUpTo(scope: AccessScope): AccessScope[] {
  return accessScopes.slice(0, accessScopes.indexOf(scope) + 1)
}

/** Takes the same time whichever token it is, and however much of one is right. */
export function findToken(
  tokens: readonly StoredToken[],
  token: string,
  now: number,
): StoredToken | undefined {
  return findTokenByHash(tokens, hashToken(token), now)
}

export function findTokenByHash(
  tokens: readonly StoredToken[],
  wanted: string,
  now: number,
): StoredToken | undefined {
  const hash = Buffer.from(wanted, 'hex')
  let found: StoredToken | undefined
  for (const one of tokens) {
    const isSame = timingSafeEqual(Buffer.from(one.hash, 'hex'), hash)
    if (isSame && (one.expires === null || one.expires > now)) found = one
  }
  return found
}
