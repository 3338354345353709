// The planning capability: while planning, an agent may write one file and change nothing else.

interface PlanEntry {
  /** Absolute path of the plan file. */
  path: string
  /** True if the plan file existed already. */
  reused: boolean
  alreadyActive: boolean
}

export interface PlanCapability {
  /**
   * Starts planning and resolves to the plan file. With `fresh`, planning uses another file than
   * the last plan.
   */
  enter(fresh: boolean): Promise<PlanEntry>
  /** Returns the path of the plan file while planning is on; otherwise undefined. */
  active(): string | undefined
  leave(): Promise<void>
}
