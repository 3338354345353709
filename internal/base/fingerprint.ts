// The identity of content that is about to be replaced.
import { createHash } from 'node:crypto'

/** SHA-256, hexadecimal. Two contents with the same fingerprint are the same for every purpose here. */
export function fingerprint(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
