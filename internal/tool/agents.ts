// Agents that a tool starts: what a subagent or a branch is asked to do, and how it ended.
import type { ActivityReceipts } from './activity-receipts.ts'

/** What a child agent is asked to do, and how far it may go. */
export interface SpawnRequest {
  title: string
  /** The whole task; the child sees nothing of its parent's conversation. */
  goal: string
  /** Absent: the profile that serves the tool `serves`, else the standard one. */
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
  /** null when a price was unknown. */
  usd: number | null
  ms: number
}

/** Runs a child to its typed end. Rejects with UserError for an unknown profile or model only. */
export type AgentSpawner = (order: SpawnRequest, signal: AbortSignal) => Promise<SpawnResult>

export interface BranchRequest {
  description: string
  maxTurns: number
  /** Files may be edited and commands run; else it only reads. */
  allowWrites: boolean
}

/** Runs an agent in a copy of the conversation to its typed end. */
export type BranchRunner = (request: BranchRequest, signal: AbortSignal) => Promise<SpawnResult>
