// Permissions of a workspace for the interface and the page: active rules, and decisions on calls.

export interface PermissionOverview {
  workspace: string
  preset: string | null
  /**
   * Active rules of the configuration, whose `answer` is empty, then the stored answers "always" with their
   * numbers in `answer`.
   */
  rules: { answer: string; action: string; tool: string; from: string; when: string }[]
  /** Decisions, latest first. */
  decisions: OverviewDecision[]
  /**
   * Rules that would have avoided approvals, as JSON for a configuration, with the number of calls that were
   * approved and denied.
   */
  suggestions: { rule: string; covers: string; approved: number; denied: number }[]
}

/** Decision on one call, from its arguments to the answer. */
export interface OverviewDecision {
  ts: number
  thread: string
  tool: string
  /** The most informative argument of the call, on one line. */
  about: string
  /** Title of the task of the subagent that made the call; null if no subagent did. */
  child: string | null
  action: string
  /** Rule or default that decided. */
  why: string
  /** Whether the answer stored a rule. */
  always: boolean
  /** Reasons why the call needed approval; empty if it needed none. */
  reasons: readonly string[]
  /** Commands of a compound command, each with its decision. */
  parts: { name: string; action: 'allow' | 'ask' | 'deny'; why: string }[]
}
