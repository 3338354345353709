// Call middleware: what runs before and after every call, such as hooks and the vetoes of plugins.
import type { ToolResult } from './result.ts'

/**
 * Called in the order in which a session lists it. The arguments are as they were parsed; nobody may change
 * them.
 */
export interface CallMiddleware {
  /**
   * After the permission decision, before the run. The first refusal ends the call with `denied` and its
   * reason.
   */
  before?(tool: string, args: Readonly<Record<string, unknown>>): Promise<{ deny: string } | undefined>
  /** After the result is on record; only for calls that have run. */
  after?(tool: string, args: Readonly<Record<string, unknown>>, result: ToolResult): Promise<void>
}
