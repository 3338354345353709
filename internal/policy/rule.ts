// Permission rules as they stand in configuration and in stored answers.
import type { Action } from './decide.ts'

export interface Rule {
  /** Canonical tool name or glob. */
  tool: string
  action: Action
  /** Command pattern for shells: words that a simple command begins with; `=line` is the exact line. */
  command?: string
  /** Glob relative to the workspace. */
  path?: string
  host?: string
  /** Parameter name to glob or /regex/. */
  args?: Record<string, string>
  profile?: string
  agent?: 'thread' | 'subagent'
  reason?: string
  examples?: { match?: string[]; no_match?: string[] }
  /** Where the rule was read: a file, `preset careful`, `answer`. Filled in by the loader. */
  origin?: string
}
