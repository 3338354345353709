// A short checksum of bytes, cheap enough to take on every read.

/**
 * CRC-32 and length: tells that content has changed since it was read. Where content is replaced the
 * fingerprint counts.
 */
export function checksum(bytes: Uint8Array | string): string {
  // loading it takes 2 ms, which a start without a checksum does not have to pay
  const { crc32 } = process.getBuiltinModule('node:zlib')
  return `${crc32(bytes).toString(16).padStart(8, '0')}-${bytes.length.toString(36)}`
}
