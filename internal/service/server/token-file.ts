// The tokens of the server: one in a file of its own for its user's programs, others as they were given out.
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

/** Holds a token that may do all; readable by its user alone. */
export const tokenPath = (data: string) => join(serverFolder(data), 'token')

const listPath = (data: string) => join(serverFolder(data), 'tokens.json')

const secret = { mode: 0o600 }

export async function openServerFolder(data: string): Promise<string> {
  const folder = serverFolder(data)
  makeDirectory(folder, 0o700)
  return folder
}

/** Makes the token of the file where there is none. */
export async function ensureOwnToken(data: string): Promise<void> {
  const folder = await openServerFolder(data)
  await withLocks(folder, ['tokens'], async () => {
    if (readOr(tokenPath(data)) === undefined)
      await writeAtomic(tokenPath(data), Buffer.from(`${createToken()}\n`), secret)
  })
}

/** All that count now; `expires` of the past are left out when the next one is given out. */
export async function readTokens(data: string): Promise<StoredToken[]> {
  const own = readOr(tokenPath(data))?.trim()
  const given = JSON.parse(readOr(listPath(data)) ?? '[]') as StoredToken[]
  return own ? [{ hash: hashToken(own), scopes: accessScopes, expires: null }, ...given] : given
}

/** The token of the file, which signs what is made of others. Throws where it is gone. */
export const readOwnToken = async (data: string) => readFileSync(tokenPath(data), 'utf8').trim()

/** The token itself is nowhere but in what this gives. */
export async function giveToken(data: string, scope: AccessScope, ttlMs: number): Promise<string> {
  const folder = await openServerFolder(data)
  const token = createToken()
  await withLocks(folder, ['tokens'], async () => {
    const given = JSON.parse(readOr(listPath(data)) ?? '[]') as StoredToken[]
    const valid = given.filter(({ expires }) => expires === null || expires > Date.now())
    const one = { hash: hashToken(token), scopes: scopesUpTo(scope), expires: Date.now() + ttlMs }
    await writeJsonRecord(listPath(data), [...valid, one])
  })
  return token
}

/** Read at once, as every request needs them: on a busy machine each turn of a thread is a wait. */
function readOr(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
