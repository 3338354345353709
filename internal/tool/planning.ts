// The planning capability: a state of the session in which one file may be written and nothing else changed.

interface PlanEntry {
  /** Absolute path. */
  path: string
  /** True if the file existed already. */
  reused: boolean
  alreadyActive: boolean
}

export interface PlanCapability {
  /** Starts planning. `fresh`: with another file than the last. */
  enter(fresh: boolean): Promise<PlanEntry>
  /** Returns the plan file while planning is on. */
  active(): string | undefined
  leave(): Promise<void>
}
