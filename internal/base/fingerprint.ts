// The identity of content, by SHA-256.
import type { Hash } from 'node:crypto'

/** Creates a SHA-256 that is updated piece by piece. */
export function createSha256(): Hash {
  // loading node:crypto takes 3 ms, which a start without hashes must not pay
  return process.getBuiltinModule('node:crypto').createHash('sha256')
}

/** Returns the SHA-256 in hexadecimal digits. Contents with equal fingerprints count as equal. */
export function fingerprint(bytes: Uint8Array | string): string {
  return createSha256().update(bytes).digest('hex')
}
