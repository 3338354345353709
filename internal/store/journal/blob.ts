// The blobs of a journal: their limit and their hash.

import { FailureError } from '../../base/errors.ts'
import { fingerprint } from '../../base/fingerprint.ts'

/** Largest size of a blob in bytes. All stores of studies have the same limit. */
export const maxBlobBytes = 1 << 20

/** Returns the SHA-256 in hex. Throws FailureError `too_large` for more than `maxBlobBytes`. */
export function hashBlob(bytes: Uint8Array): string {
  if (bytes.byteLength > maxBlobBytes) {
    throw new FailureError({ code: 'too_large', message: `a blob may hold ${maxBlobBytes} bytes` })
  }
  return fingerprint(bytes)
}
