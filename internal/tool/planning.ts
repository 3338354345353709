// The planning capability: a state of the session in which one file may be written and nothing else changed.

interface PlanEntry {
  /** Absolute path of the plan file. */
  path: string
  /** True if the file existed already. */
  reused: boolean
  alreadyActive: boolean
}

export interface PlanCapability {
  /** Starts planning and resolves to the plan file. `fresh`: uses another file than the last plan. */
  enter(fresh: boolean): Promise<PlanEntry>
  /** Returns the path of the plan file while planning is on; otherwise undefined. */
  active(): string | undefined
  leave(): Promise<void>
}
