// Confidence intervals of 95 % for shares.

/** Lower and upper bound, both between 0 and 1. */
export type ShareInterval = readonly [number, number]

/** The normal quantile of 97.5 %. */
const z = 1.959964

/**
 * Returns Wilson's score interval (1927) for `part` of `whole` independent trials, or null without trials.
 */
export function wilsonInterval(part: number, whole: number): ShareInterval | null {
  if (whole === 0) return null
  const share = part / whole
  const square = (z * z) / whole
  const middle = share + square / 2
  const width = z * Math.sqrt((share * (1 - share)) / whole + square / (4 * whole))
  return [Math.max(0, (middle - width) / (1 + square)), Math.min(1, (middle + width) / (1 + square))]
}

const rounds = 2000

/**
 * Returns the 95 % percentile interval of a bootstrap over questions; null without any value. Whole questions
 * are drawn, because the facts of one question are found or missed together and so are not independent.
 * `statistic` gets the drawn indices and returns null if it cannot be computed. The same questions always
 * give the same interval.
 */
export function bootstrapInterval(
  count: number,
  statistic: (drawn: readonly number[]) => number | null,
): ShareInterval | null {
  if (count === 0) return null
  const random = seededRandom(count)
  const values: number[] = []
  for (let round = 0; round < rounds; round++) {
    const drawn = Array.from({ length: count }, () => Math.floor(random() * count))
    const value = statistic(drawn)
    if (value !== null) values.push(value)
  }
  if (values.length === 0) return null
  values.sort((a, b) => a - b)
  const at = (share: number) => values[Math.round(share * (values.length - 1))] as number
  return [at(0.025), at(0.975)]
}

/** Returns a mulberry32 generator: uniform numbers in [0, 1), the same for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
