// A short checksum of bytes, cheap enough to take on every read.
import { crc32 } from 'node:zlib'

/**
 * CRC-32 and length: tells that content has changed since it was read. Node's cryptographic hashes take 3 ms to load,
 * which every start that reads one file would pay; where content is replaced the fingerprint counts.
 */
export function checksum(bytes: Uint8Array | string): string {
  return `${crc32(bytes).toString(16).padStart(8, '0')}-${bytes.length.toString(36)}`
}
