// What an MCP server offers, as its host hands it in: tools with their calls, resources, prompts.
import type { EventPayload } from '../event/event.ts'
import type { ApprovalRequest, FilePreview } from '../tool/ask.ts'
import type { ListedTool } from '../tool/catalog.ts'
import type { ApprovalHandler, UserChannel } from '../tool/ctx.ts'
import type { CallRequest, CallResult } from '../tool/invoke.ts'

/** Whoever a call is for, while it goes on. */
export interface McpCaller {
  /** Aborts when the client cancels the call or has gone. */
  signal: AbortSignal
  ask: ApprovalHandler
  /** Absent: the client puts no questions to anybody. */
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
  /** Told to clients as the way to use the server. */
  instructions: string
  /** The same array until it has changed; hidden ones are not offered. */
  tools(): readonly ListedTool[]
  /** Through `invoke`. Rejects only when the call cannot be recorded. */
  call(request: CallRequest, caller: McpCaller): Promise<CallResult>
  /** All that a person has to see of a call before it may run. */
  describe(request: ApprovalRequest, preview: FilePreview | undefined): string
  resources(): Promise<OfferedResource[]>
  /** Undefined where nothing has that address. */
  read(uri: string): Promise<{ mimeType: string; text: string } | undefined>
  prompts(): Promise<OfferedPrompt[]>
  /** `input` is what the instructions are for. Undefined where there is no such prompt. */
  prompt(name: string, input: string | undefined): Promise<string | undefined>
}
