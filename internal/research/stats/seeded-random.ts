// Seeded random streams: the same seed gives the same decision on every machine.

/** A stream of random numbers. */
export interface SeededRandom {
  /** Returns an integer in [0, 2^32). */
  bits(): number
  /** Returns a number in [0, 1) with 32 random bits. */
  unit(): number
  /** Returns an integer from 0 to n - 1. `n` is from 1 to 2^32. */
  below(n: number): number
}

/**
 * Returns a separate stream for each seed and label, so that an additional random decision never
 * changes another one. The generator is sfc32 of PractRand (Chris Doty-Humphrey, public domain). Its
 * state comes from an FNV-1a hash of seed and label through splitmix32. The first 12 outputs are
 * dropped, as its author advises.
 */
export function seededRandom(seed: number, label = ''): SeededRandom {
  let fill = hashText(`${seed}/${label}`)
  const mixed = () => {
    fill = (fill + 0x9e3779b9) | 0
    let t = fill ^ (fill >>> 16)
    t = Math.imul(t, 0x21f0aaad)
    t ^= t >>> 15
    t = Math.imul(t, 0x735a2d97)
    return t ^ (t >>> 15)
  }
  let a = mixed()
  let b = mixed()
  let c = mixed()
  let counter = 1
  const bits = () => {
    const t = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + t) | 0
    return t >>> 0
  }
  for (let i = 0; i < 12; i++) bits()
  const unit = () => bits() / 4_294_967_296
  return { bits, unit, below: (n) => Math.floor(unit() * n) }
}

/** Returns the order of each of `count` pairs. On average half of them start with the candidate (`BA`). */
export function drawPairOrders(seed: number, label: string, count: number): ('AB' | 'BA')[] {
  const chance = seededRandom(seed, `order/${label}`)
  return Array.from({ length: count }, () => (chance.bits() & 0x10000 ? 'BA' : 'AB'))
}

function hashText(text: string): number {
  let h = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193)
  return h
}
