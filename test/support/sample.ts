// Which rows of a long table run in `npm test`: some, spread evenly; all of them with ANODE_FAULTS.

/** Every `step`-th row, the first included. ANODE_SEED begins elsewhere, so that other runs see other rows. */
export function sampleRows<T>(rows: readonly T[], step: number): T[] {
  if (process.env.ANODE_FAULTS) return [...rows]
  const first = Number(process.env.ANODE_SEED ?? 0) % step
  return rows.filter((_, i) => i % step === first)
}
