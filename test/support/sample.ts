// What of a long series runs in `npm test`: some of it, spread evenly; all of it with ANODE_FAULTS.

/** True for the long form. */
export const full = Boolean(process.env.ANODE_FAULTS)

/**
 * Returns every `step`-th row, the first included. A row that is an array keeps its type as a tuple.
 * ANODE_SEED begins elsewhere, so that other runs see other rows.
 */
export function sampleRows<T extends unknown[] | [unknown]>(rows: readonly T[], step: number): T[]
export function sampleRows<T>(rows: readonly T[], step: number): T[]
export function sampleRows<T>(rows: readonly T[], step: number): T[] {
  if (full) return [...rows]
  const first = Number(process.env.ANODE_SEED ?? 0) % step
  return rows.filter((_, i) => i % step === first)
}

/**
 * Returns the share of one of `count` tables with the same rows. In the short form the tables together run
 * each row once.
 */
export function shareRows<T>(rows: readonly T[], share: number, count: number): T[] {
  return full ? [...rows] : rows.filter((_, i) => i % count === share % count)
}

/** How many rounds of a generated series: `few` of them, or `all`. */
export const rounds = (few: number, all: number): number => (full ? all : few)
