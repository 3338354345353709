// Call middleware: what runs before and after every call, such as hooks and the vetoes of plugins.
import type { ToolResult } from './result.ts'

/** Called in the session's order, with the arguments as they were parsed; nobody may change them. */
export interface CallMiddleware {
  /** After the permission decision, before the run. The first refusal ends the call with `denied`. */
  before?(tool: string, args: Readonly<Record<string, unknown>>): Promise<{ deny: string } | undefined>
  /** After the result is on record; only for calls that have run. */
  after?(tool: string, args: Readonly<Record<string, unknown>>, result: ToolResult): Promise<void>
}
