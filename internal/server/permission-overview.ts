// What may run unasked in a workspace and how calls were decided there, for the interface and the page.

export interface PermissionOverview {
  workspace: string
  preset: string | null
  /** The rules in force, and behind them the answers given as "always", by number. */
  rules: { answer: string; action: string; tool: string; from: string; when: string }[]
  /** Newest first. */
  decisions: OverviewDecision[]
  /** Rules that would have spared questions, as they would stand in a configuration. */
  suggestions: { rule: string; covers: string; approved: number; denied: number }[]
}

/** How one call was decided, from what it asked for to who has answered. */
export interface OverviewDecision {
  ts: number
  thread: string
  tool: string
  /** Of its arguments the one that says most, in one line. */
  about: string
  /** Title of the task of the child agent that has asked. */
  child: string | null
  action: string
  /** What decided it. */
  why: string
  /** A rule was kept with the answer. */
  always: boolean
  /** Why it was asked; empty where nothing had to be. */
  reasons: readonly string[]
  /** The commands of a line, each with what was made of it. */
  parts: { name: string; action: 'allow' | 'ask' | 'deny'; why: string }[]
}
