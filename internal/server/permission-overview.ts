// What may run unasked in a workspace and how calls were decided there, for the interface and the page.

export interface PermissionOverview {
  workspace: string
  preset: string | null
  /** The rules in force, and behind them the answers given as "always", by number. */
  rules: { answer: string; action: string; tool: string; from: string; when: string }[]
  /** Newest first. `reasons`: why it was asked; `why`: what decided it. */
  decisions: {
    ts: number
    thread: string
    tool: string
    action: string
    why: string
    reasons: readonly string[]
  }[]
  /** Rules that would have spared questions, as they would stand in a configuration. */
  suggestions: { rule: string; covers: string; approved: number; denied: number }[]
}
