// Whether a server and its tools are still what was approved: a changed launch or description asks again.
import { type ApprovalRecord, digestJson, grantApproval, readApproval } from '../trust/approval.ts'
import type { McpServer } from './config/server-config.ts'
import type { ServerListing, ToolItem } from './server-listing.ts'

export interface ApprovalStanding {
  /** Why the server may not be started, or undefined. */
  launch: string | undefined
  /** Tools that are new, or whose description or schema is not the approved one. */
  changed: ReadonlySet<string>
}

/** The words that a model is told of a tool; everything in it could carry a message to the model. */
export function printOf({ name, title, description, inputSchema, annotations }: ToolItem): string {
  return digestJson({ name, title, description, inputSchema, annotations })
}

/**
 * How the server stands against its approval. The first meeting approves: a person has configured the server,
 * or trusted the workspace that brings it. What it offers later does not approve itself: a tool by another
 * name can say what a changed one could not. A workspace's launch is part of what `anode trust` hashes, so
 * that it needs no approval besides.
 */
export function compareApproval(
  server: McpServer,
  approval: ApprovalRecord | undefined,
  tools: readonly ToolItem[],
): ApprovalStanding {
  if (!approval) return { launch: undefined, changed: new Set() }
  const isOther = server.origin !== 'workspace' && approval.launch !== server.print
  const hint = `see \`anode mcp show ${server.name}\`, then \`anode mcp approve ${server.name}\``
  return {
    launch: isOther ? `how it is started has changed since it was approved: ${hint}` : undefined,
    changed: new Set(
      tools
        .filter(
          (tool) => !Object.hasOwn(approval.parts, tool.name) || approval.parts[tool.name] !== printOf(tool),
        )
        .map(({ name }) => name),
    ),
  }
}

/** Notes a server that is met for the first time, with its tools, and a launch that needs no approval. */
export async function meetMcpServer(
  dataDir: string,
  server: McpServer,
  listing: ServerListing,
): Promise<ApprovalStanding> {
  const approval = readApproval(dataDir, server.key)
  const found = compareApproval(server, approval, listing.tools)
  if (!approval || approval.launch !== server.print) {
    const parts = approval?.parts ?? partsOf(listing.tools)
    await grantApproval(dataDir, server.key, { launch: server.print, parts })
  }
  return found
}

/** A person approves the server as it is configured now, with what it told last. */
export async function approveMcpServer(
  dataDir: string,
  server: McpServer,
  listing: ServerListing | undefined,
): Promise<void> {
  const before = readApproval(dataDir, server.key)
  const parts = { ...before?.parts, ...partsOf(listing?.tools ?? []) }
  await grantApproval(dataDir, server.key, { launch: server.print, parts })
}

function partsOf(tools: readonly ToolItem[]): Record<string, string> {
  return Object.fromEntries(tools.map((tool) => [tool.name, printOf(tool)]))
}
