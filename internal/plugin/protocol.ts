// The plugin protocol: JSON-RPC 2.0 messages with a Content-Length header, between Anode and a process.
import type { Event } from '../event/event.ts'

/** Counts up when a plugin written for an earlier one would no longer work. */
export const protocolVersion = 1

/** Request `initialize`, the first of all. */
export interface PluginInitializeRequest {
  protocolVersion: number
  client: { name: 'anode'; version: string }
  /** Real path. */
  workspace: string
}

/** Answer to `initialize`. */
export interface PluginInitializeResult {
  protocolVersion: number
  /** Letters, digits, `_` and `-`; tools are named `plugin__<name>__<tool>`. */
  name: string
  version?: string
  capabilities?: {
    tools?: boolean
    /** All events, or those of these types. */
    events?: boolean | string[]
    decide?: boolean | PluginDecideCapability
  }
}

export interface PluginDecideCapability {
  /** Names and globs of the tools it wants to be asked about; absent: all. */
  tools?: string[]
  /** How long it may take; at most and by default 5000. */
  timeoutMs?: number
  /** What silence, an error or its end mean: `deny` by default. */
  onError?: 'deny' | 'allow'
}

/** One of the answer to `tools/list`: `{tools: Described[]}`. */
export interface PluginToolDescription {
  name: string
  description: string
  /** JSON Schema of an object. */
  inputSchema?: Record<string, unknown>
  /** Absent: confirm_execute. */
  level?: string
}

/** Answer to `tools/call`; `failed` is what the model reads when it did not work. */
export interface PluginCallResult {
  text?: string
  data?: unknown
  failed?: string
}

/** Notification `run/event`. */
export interface PluginRunEvent {
  thread: string | null
  event: Event
}

/** Request `run/decide`, before a call that is otherwise allowed. */
export interface PluginDecisionRequest {
  tool: string
  arguments: Record<string, unknown>
  thread: string | null
}

/** Answer to `run/decide`; anything but a `deny` lets the call through. */
export interface PluginDecision {
  decision?: 'allow' | 'deny'
  reason?: string
}
