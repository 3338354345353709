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

/**
 * Returns the numbers from 1 to `count` in groups of three. Cases of a series that mostly wait are run
 * together, so that a long series takes a third of the time.
 */
export const seedGroups = (count: number): number[][] =>
  Array.from({ length: Math.ceil(count / 3) }, (_, group) =>
    [1, 2, 3].map((i) => group * 3 + i).filter((seed) => seed <= count),
  )

/** Runs cases at the same time. When all have ended, throws the error of the first one that failed. */
export async function runTogether<T>(cases: readonly T[], run: (one: T) => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(cases.map(run))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
