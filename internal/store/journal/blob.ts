// What a journal keeps under its hash: how much of it, and how the hash is made.

import { FailureError } from '../../base/errors.ts'
import { fingerprint } from '../../base/fingerprint.ts'

/** Largest blob, in bytes: the same wherever studies are kept. */
export const maxBlobBytes = 1 << 20

/** SHA-256 in hex. Throws FailureError `too_large`. */
export function hashBlob(bytes: Uint8Array): string {
  if (bytes.byteLength > maxBlobBytes) {
    throw new FailureError({ code: 'too_large', message: `a blob may hold ${maxBlobBytes} bytes` })
  }
  return fingerprint(bytes)
}
