// A short fingerprint of bytes, cheap enough to take on every read.

const seeds = [0x9747b28c, 0x1b873593] as const

/**
 * Tells whether content changed by accident or by another program: MurmurHash3 (x86, 32 bits, Austin Appleby,
 * public domain) under two seeds, and the length. It is not meant to resist forgery; whoever could forge it can
 * write the file anyway. A cryptographic hash would cost its module's 3 ms on every start that reads one file.
 */
export function fingerprint(bytes: Uint8Array): string {
  const hex = (n: number) => n.toString(16).padStart(8, '0')
  return `${hex(murmur(bytes, seeds[0]))}${hex(murmur(bytes, seeds[1]))}-${bytes.length.toString(36)}`
}

function murmur(bytes: Uint8Array, seed: number): number {
  const whole = bytes.length & ~3
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let h = seed
  for (let i = 0; i < whole; i += 4) {
    h ^= scramble(view.getInt32(i, true))
    h = (h << 13) | (h >>> 19)
    h = (Math.imul(h, 5) + 0xe6546b64) | 0
  }
  let rest = 0
  for (let i = bytes.length - 1; i >= whole; i--) rest = (rest << 8) | (bytes[i] as number)
  h ^= scramble(rest) ^ bytes.length
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

function scramble(k: number): number {
  const mixed = Math.imul(k, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}
