// Tokens of the server: a file with the token for programs of the user, and a list of issued tokens.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../base/errors.ts'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import { writeJsonRecord } from '../../base/files/json-record.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { withLocks } from '../../base/files/path-locks.ts'
import {
  type AccessScope,
  accessScopes,
  createToken,
  hashToken,
  type StoredToken,
  scopesUpTo,
} from '../../server/http/access-tokens.ts'

export const serverFolder = (data: string) => join(data, 'server')

/**
 * Returns the path of the file with the user's token, which has all permissions. Only the user can
 * read the file.
 */
export const tokenPath = (data: string) => join(serverFolder(data), 'token')

const listPath = (data: string) => join(serverFolder(data), 'tokens.json')

const secret = { mode: 0o600 }

export async function openServerFolder(data: string): Promise<string> {
  const folder = serverFolder(data)
  makeDirectory(folder, 0o700)
  return folder
}

/** Creates the user's token if it is missing. */
export async function ensureOwnToken(data: string): Promise<void> {
  const folder = await openServerFolder(data)
  await withLocks(folder, ['tokens'], async () => {
    if (readOr(tokenPath(data)) === undefined)
      await writeAtomic(tokenPath(data), Buffer.from(`${createToken()}\n`), secret)
  })
}

/**
 * Returns hashes of the user's own token and of all issued tokens. Expired tokens are included until the next
 * token is issued.
 */
export async function readTokens(data: string): Promise<StoredToken[]> {
  const ownToken = readOr(tokenPath(data))?.trim()
  const issuedTokens = JSON.parse(readOr(listPath(data)) ?? '[]') as StoredToken[]
  return ownToken
    ? [{ hash: hashToken(ownToken), scopes: accessScopes, expires: null }, ...issuedTokens]
    : issuedTokens
}

/** Returns the user's token, which also signs page sessions. Throws if the file is missing. */
export const readOwnToken = async (data: string) => readFileSync(tokenPath(data), 'utf8').trim()

/**
 * Issues a token for `scope` and all lower scopes, and returns it. The list of tokens stores only a hash.
 * Expired tokens are removed.
 */
export async function giveToken(data: string, scope: AccessScope, ttlMs: number): Promise<string> {
  const folder = await openServerFolder(data)
  const token = createToken()
  await withLocks(folder, ['tokens'], async () => {
    const issuedTokens = JSON.parse(readOr(listPath(data)) ?? '[]') as StoredToken[]
    const valid = issuedTokens.filter(({ expires }) => expires === null || expires > Date.now())
    const one = { hash: hashToken(token), scopes: scopesUpTo(scope), expires: Date.now() + ttlMs }
    await writeJsonRecord(listPath(data), [...valid, one])
  })
  return token
}

/**
 * Reads a file synchronously; returns undefined if the file does not exist. Each request reads the tokens,
 * and on a busy machine an asynchronous read takes much longer.
 */
function readOr(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
