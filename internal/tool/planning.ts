// The planning capability: a state of the session in which one file may be written and nothing else changed.

interface PlanEntry {
  /** Absolute. */
  path: string
  /** The file was there already. */
  reused: boolean
  alreadyActive: boolean
}

export interface PlanCapability {
  /** Begins planning; `fresh` with another file than the last. */
  enter(fresh: boolean): Promise<PlanEntry>
  /** The file of the plan while planning is on. */
  active(): string | undefined
  leave(): Promise<void>
}
