// Tasks and results of agents that a tool starts: subagents, and branches in a copy of the conversation.
import type { ActivityReceipts } from './activity-receipts.ts'

/** The task of a subagent, with its limits. */
export interface SpawnRequest {
  title: string
  /** The complete task. The subagent does not see its parent's conversation. */
  goal: string
  /**
   * Name of the subagent's profile. Default: the profile whose setting `serves` lists the name in the field
   * `serves`, else the standard profile.
   */
  profile?: string
  serves?: string
  /** Names and globs that narrow the profile's tools further. */
  tools?: readonly string[]
  readOnly?: boolean
  maxTurns?: number
  maxCalls?: number
  timeoutMs: number
  model?: string
  effort?: string
}

export interface SpawnResult {
  end: 'done' | 'partial' | 'limit' | 'cancelled' | 'failed'
  reason: string | undefined
  text: string
  thread: string
  receipts: ActivityReceipts
  turns: number
  calls: number
  tokens: number
  /** Costs of the agent in US dollars; null if a price was unknown. */
  usd: number | null
  ms: number
}

/**
 * Runs a subagent to its end and resolves to its result, also if the subagent fails. Before its start,
 * rejects with UserError for an unknown profile, or for a model that is unknown or not allowed.
 */
export type AgentSpawner = (order: SpawnRequest, signal: AbortSignal) => Promise<SpawnResult>

export interface BranchRequest {
  description: string
  maxTurns: number
  /** True if the agent may edit files and run commands. Otherwise it may only read. */
  allowWrites: boolean
}

/** Runs an agent in a copy of the conversation to its end and resolves to its result. */
export type BranchRunner = (request: BranchRequest, signal: AbortSignal) => Promise<SpawnResult>
