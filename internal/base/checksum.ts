// A short checksum of bytes, cheap enough for every read.

/**
 * Largest length of content whose checksum is computed here; longer content uses zlib, which takes 2
 * ms to load.
 */
const maxPlainBytes = 1_024

/**
 * Returns the CRC-32 in hex and the length in base 36 (bytes, or characters of a string). They show that
 * content has changed since it was read. To decide whether content may be replaced, compare the fingerprint.
 */
export function checksum(bytes: Uint8Array | string): string {
  const crc = bytes.length <= maxPlainBytes ? countCrc32(bytes) : countFast(bytes)
  return `${crc.toString(16).padStart(8, '0')}-${bytes.length.toString(36)}`
}

const countFast = (bytes: Uint8Array | string) => process.getBuiltinModule('node:zlib').crc32(bytes)

/** CRC-32 remainders of the sixteen values of half a byte, for the reversed polynomial 0xedb88320. */
const remainders = [
  0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c, 0xedb88320,
  0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
]

function countCrc32(text: Uint8Array | string): number {
  let crc = -1
  for (const byte of typeof text === 'string' ? Buffer.from(text) : text) {
    crc = (remainders[(crc ^ byte) & 15] as number) ^ (crc >>> 4)
    crc = (remainders[(crc ^ (byte >>> 4)) & 15] as number) ^ (crc >>> 4)
  }
  return ~crc >>> 0
}
