// Plugin protocol: JSON-RPC 2.0 messages with a Content-Length header, between Anode and a process.
import type { Event } from '../event/event.ts'

/** Version of the protocol, which increases when existing plugins would no longer work. */
export const protocolVersion = 1

/** Parameters of the first request to a plugin, `initialize`. */
export interface PluginInitializeRequest {
  protocolVersion: number
  client: { name: 'anode'; version: string }
  /** Real path of the workspace. */
  workspace: string
}

/** Result of the request `initialize`. */
export interface PluginInitializeResult {
  protocolVersion: number
  /**
   * At most 30 letters, digits, `_` and `-`, with a letter first and without `__`. Tools
   * are named `plugin__<name>__<tool>`.
   */
  name: string
  version?: string
  capabilities?: {
    tools?: boolean
    /** Subscribed events: all, or these types. */
    events?: boolean | string[]
    decide?: boolean | PluginDecideCapability
  }
}

export interface PluginDecideCapability {
  /** Names and globs of the tools about whose calls the plugin decides. Default: all tools. */
  tools?: string[]
  /** Milliseconds in which the plugin has to decide about a call. Default and maximum: 5000. */
  timeoutMs?: number
  /** What happens to a call if the plugin does not answer in time, fails or ends. Default: `deny`. */
  onError?: 'deny' | 'allow'
}

/** A tool in the answer to `tools/list`, which is `{tools: PluginToolDescription[]}`. */
export interface PluginToolDescription {
  name: string
  description: string
  /** JSON Schema of an object. */
  inputSchema?: Record<string, unknown>
  /** Permission level of the tool's calls. Default: `confirm_execute`. */
  level?: string
}

/** Answer to `tools/call`; `failed` is the message for the model if the call failed. */
export interface PluginCallResult {
  text?: string
  data?: unknown
  failed?: string
}

/** Parameters of the notification `run/event`. */
export interface PluginRunEvent {
  thread: string | null
  event: Event
}

/** Request `run/decide`, sent before a call that is otherwise allowed. */
export interface PluginDecisionRequest {
  tool: string
  arguments: Record<string, unknown>
  thread: string | null
}

/**
 * Answer to `run/decide`. `allow` or no decision allows the call. `deny`, and any unknown
 * decision, denies it.
 */
export interface PluginDecision {
  decision?: 'allow' | 'deny'
  reason?: string
}
