// Call middleware: code that runs before and after every call, such as hooks and the vetoes of plugins.
import type { ToolResult } from './result.ts'

/**
 * Code that runs around every call, in the session's order. It gets the parsed arguments, which
 * must not change.
 */
export interface CallMiddleware {
  /** Runs after the permission decision, before the call. The first refusal ends the call with `denied`. */
  before?(tool: string, args: Readonly<Record<string, unknown>>): Promise<{ deny: string } | undefined>
  /** Runs after the result is recorded, only for calls that have run. */
  after?(tool: string, args: Readonly<Record<string, unknown>>, result: ToolResult): Promise<void>
}
