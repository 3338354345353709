// The identity of content, by SHA-256.
import type { Hash } from 'node:crypto'

/** A SHA-256 to be fed piece by piece. */
export function createSha256(): Hash {
  // loading node:crypto takes 3 ms, which no start that hashes nothing has to pay
  return process.getBuiltinModule('node:crypto').createHash('sha256')
}

/** SHA-256, hexadecimal. Two contents with the same fingerprint are the same for every purpose here. */
export function fingerprint(bytes: Uint8Array | string): string {
  return createSha256().update(bytes).digest('hex')
}
