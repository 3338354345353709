// What an MCP server offers, supplied by its host: tools with their calls, resources, prompts.
import type { EventPayload } from '../event/event.ts'
import type { ApprovalRequest, FilePreview } from '../tool/ask.ts'
import type { ListedTool } from '../tool/catalog.ts'
import type { ApprovalHandler, UserChannel } from '../tool/ctx.ts'
import type { CallRequest, CallResult } from '../tool/invoke.ts'

/** The client that made a running call. */
export interface McpCaller {
  /** Signal that aborts when the client cancels the call or disconnects. */
  signal: AbortSignal
  ask: ApprovalHandler
  /** Channel for questions. Default: the client cannot ask its user. */
  user: UserChannel | undefined
  report(progress: EventPayload<'tool.progress'>): void
}

export interface OfferedResource {
  uri: string
  name: string
  description: string
  mimeType: string
}

interface OfferedPrompt {
  name: string
  description: string
}

export interface McpSurface {
  version: string
  /** Usage instructions for clients. */
  instructions: string
  /**
   * Returns all tools; clients never see the hidden ones. The array stays the same object until
   * the tools change.
   */
  tools(): readonly ListedTool[]
  /**
   * Runs a call of a tool, with the permission checks and the record of every call. Rejects only if the call
   * cannot be recorded.
   */
  call(request: CallRequest, caller: McpCaller): Promise<CallResult>
  /** Returns everything about a call that a user has to see before approving it. */
  describe(request: ApprovalRequest, preview: FilePreview | undefined): string
  resources(): Promise<OfferedResource[]>
  /** Returns a resource, or undefined for an unknown URI. */
  read(uri: string): Promise<{ mimeType: string; text: string } | undefined>
  prompts(): Promise<OfferedPrompt[]>
  /** Returns the text of a prompt for `input`, or undefined for an unknown prompt. */
  prompt(name: string, input: string | undefined): Promise<string | undefined>
}
