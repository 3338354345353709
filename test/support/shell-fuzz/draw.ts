// Draws from lists and weights with the seeded randomness of tests.
import { choice, type Rng } from '../rng.ts'

export type { Rng }
export { choice }

/** True in `share` of all draws. */
export const chance = (random: Rng, share: number): boolean => random() < share

/** A whole number from `low` to `high`, both included. */
export const between = (random: Rng, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1))

/** Returns `low` to `high` results of `make`. */
export function several<T>(random: Rng, low: number, high: number, make: (random: Rng) => T): T[] {
  return Array.from({ length: between(random, low, high) }, () => make(random))
}

/** Returns the result of one of the makers, by weight. */
export function weighted<T>(random: Rng, makers: readonly (readonly [number, T])[]): T {
  let rest = random() * makers.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, maker] of makers) {
    rest -= weight
    if (rest < 0) return maker
  }
  return makers[makers.length - 1]?.[1] as T
}
