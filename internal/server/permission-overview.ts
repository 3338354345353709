// Permissions of a workspace for the HTTP interface and the web page: rules in force, and decisions on calls.

export interface PermissionOverview {
  workspace: string
  preset: string | null
  /**
   * Rules in force: first those of the configuration, with an empty `answer`. Then the stored answers
   * "always", with their numbers in `answer`.
   */
  rules: { answer: string; action: string; tool: string; from: string; when: string }[]
  /** Latest decisions, at most 100, latest first. */
  decisions: OverviewDecision[]
  /**
   * Suggested rules that would have avoided approvals of the last 90 days, as JSON for a configuration, with
   * the number of approved and denied calls that they cover.
   */
  suggestions: { rule: string; covers: string; approved: number; denied: number }[]
}

/** Decision on one call, with its reasons and the answer of the user. */
export interface OverviewDecision {
  ts: number
  thread: string
  tool: string
  /**
   * The most informative argument of the call, on one line; empty if the call was decided without a question.
   */
  about: string
  /** Title of the task of the subagent that made the call; null if no subagent did. */
  child: string | null
  action: string
  /** Rule or default that decided. */
  why: string
  /** True if the user answered "always", which stored a rule. */
  always: boolean
  /**
   * All reasons of the decision to ask the user; empty if the call was allowed or denied without a question.
   */
  reasons: readonly string[]
  /** Commands of a compound command that needed approval, each with its decision; empty for other calls. */
  parts: { name: string; action: 'allow' | 'ask' | 'deny'; why: string }[]
}
