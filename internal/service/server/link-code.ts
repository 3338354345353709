// One-time codes for links that `anode serve` prints. Only their hashes are stored, until they are
// used or expire.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { readJsonRecord, writeJsonRecord } from '../../base/files/json-record.ts'
import { withLocks } from '../../base/files/path-locks.ts'
import { hashToken } from '../../server/http/access-tokens.ts'
import { openServerFolder, serverFolder } from './token-file.ts'

/** Lifetime of a code in milliseconds. */
export const linkCodeTtlMs = 10 * 60_000

interface StoredCode {
  /** SHA-256 of the code, in hex. */
  hash: string
  /** Expiry in milliseconds since 1970. */
  expires: number
}

const listPath = (data: string) => join(serverFolder(data), 'codes.json')

/**
 * Creates a code of 192 bits and stores its hash. Only the return value contains the code itself. The link
 * with it fits in a terminal of 80 columns, so that a mouse can select it as one line.
 */
export async function createLinkCode(data: string, now = Date.now()): Promise<string> {
  const code = randomBytes(24).toString('base64url')
  const one = { hash: hashToken(code), expires: now + linkCodeTtlMs }
  await changeCodes(data, (codes) => [...codes.filter(({ expires }) => expires > now), one])
  return code
}

/**
 * Checks a code and removes it. Resolves to true if it was valid. The comparison with a stored code always
 * takes the same time, so that its duration does not show which characters are right.
 */
export async function takeLinkCode(data: string, code: string, now = Date.now()): Promise<boolean> {
  const codeHash = Buffer.from(hashToken(code), 'hex')
  let isValid = false
  await changeCodes(data, (codes) => {
    const others = codes.filter((one) => !timingSafeEqual(Buffer.from(one.hash, 'hex'), codeHash))
    const [match] = codes.filter((one) => !others.includes(one))
    isValid = match !== undefined && match.expires > now
    return others
  })
  return isValid
}

/** Replaces the list under a lock, so that two requests with the same code cannot both use it. */
async function changeCodes(
  data: string,
  change: (codes: readonly StoredCode[]) => readonly StoredCode[],
): Promise<void> {
  const folder = await openServerFolder(data)
  await withLocks(folder, ['codes'], async () => {
    const codes = readJsonRecord<StoredCode[]>(listPath(data)) ?? []
    const next = change(codes)
    if (next.some((one) => !codes.includes(one)) || next.length < codes.length)
      await writeJsonRecord(listPath(data), next)
  })
}
