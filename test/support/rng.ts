// Seeded randomness for tests: the same seed gives the same run.

export type Rng = () => number

/** Returns the generator mulberry32, public domain: numbers in [0, 1). */
export function rng(seed: number): Rng {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function choice<T>(random: Rng, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T
}

/** Returns a new array in random order (Fisher-Yates). */
export function shuffled<T>(random: Rng, items: readonly T[]): T[] {
  const mixed = [...items]
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const kept = mixed[i] as T
    mixed[i] = mixed[j] as T
    mixed[j] = kept
  }
  return mixed
}
