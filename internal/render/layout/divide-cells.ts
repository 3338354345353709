// Distribution of cells among layout items: it divides free space, shares a shortage, and computes the gaps
// of an alignment.

/**
 * Splits `total` into whole numbers in proportion to `weights`. Their sum is `total`, or zero if all
 * weights are zero.
 */
export function divideCells(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((so, weight) => so + weight, 0)
  let weightSum = 0
  let assigned = 0
  return weights.map((weight) => {
    if (sum <= 0) return 0
    weightSum += weight
    const upTo = Math.round((total * weightSum) / sum)
    const part = upTo - assigned
    assigned = upTo
    return part
  })
}

/**
 * Returns sizes reduced by `excess` in proportion to size times factor, each at least its floor. Sizes with
 * the factor 0 stay. If all other sizes reach their floors, less than `excess` is removed.
 */
export function shrinkSizes(
  sizes: readonly number[],
  floors: readonly number[],
  factors: readonly number[],
  excess: number,
): number[] {
  const out = [...sizes]
  for (let remainingCells = excess; remainingCells > 0; ) {
    const weights = out.map((size, i) => (size > (floors[i] as number) ? size * (factors[i] as number) : 0))
    const parts = divideCells(remainingCells, weights)
    let removedCells = 0
    for (const [i, part] of parts.entries()) {
      const loss = Math.min(part, (out[i] as number) - (floors[i] as number))
      out[i] = (out[i] as number) - loss
      removedCells += loss
    }
    if (removedCells === 0) break
    remainingCells -= removedCells
  }
  return out
}

export type JustifyContent =
  | 'flex-start'
  | 'center'
  | 'flex-end'
  | 'space-between'
  | 'space-around'
  | 'space-evenly'

/** Returns the extra space before each of `count` items, and after the last one. */
export function spreadGaps(justify: JustifyContent, free: number, count: number): number[] {
  const inner = (edge: number, between: number) =>
    Array.from({ length: count + 1 }, (_, i) => (i === 0 || i === count ? edge : between))
  const ends = (before: number, after: number) =>
    Array.from({ length: count + 1 }, (_, i) => (i === 0 ? before : i === count ? after : 0))
  switch (justify) {
    case 'flex-start':
      return divideCells(free, ends(0, 1))
    case 'flex-end':
      return divideCells(free, ends(1, 0))
    case 'center':
      return divideCells(free, ends(1, 1))
    case 'space-between':
      return divideCells(free, count > 1 ? inner(0, 1) : ends(0, 1))
    case 'space-around':
      return divideCells(free, inner(1, 2))
    case 'space-evenly':
      return divideCells(free, inner(1, 1))
  }
}
