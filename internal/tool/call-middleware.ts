// Call middleware: code that runs before and after each allowed call, such as hooks and the
// vetoes of plugins.
import type { ToolResult } from './result.ts'

/**
 * Code that runs around each call that the permission decision allows. Several of them run in the order in
 * which the session lists them. It gets the parsed arguments, which must not change.
 */
export interface CallMiddleware {
  /** Runs after the permission decision, before the call. The first refusal ends the call with `denied`. */
  before?(tool: string, args: Readonly<Record<string, unknown>>): Promise<{ deny: string } | undefined>
  /** Runs after the result is recorded, unless the call was refused. */
  after?(tool: string, args: Readonly<Record<string, unknown>>, result: ToolResult): Promise<void>
}
