// Comparison of a server and its tools with the user's stored approval. A new approval is needed for a
// new tool, for a changed description or schema, and for a changed start of a server that the workspace
// does not configure.
import { type ApprovalRecord, digestJson, grantApproval, readApproval } from '../trust/approval.ts'
import type { McpServer } from './config/server-config.ts'
import type { ServerListing, ToolItem } from './server-listing.ts'

export interface ApprovalStanding {
  /** Reason why the server may not start, or undefined. */
  launch: string | undefined
  /** Tools that are new, or whose title, description, schema or annotations differ from the approved ones. */
  changed: ReadonlySet<string>
}

/**
 * Returns a hash of everything that a model reads about a tool. Each of these texts could contain
 * instructions that mislead the model, so a change needs a new approval.
 */
export function printOf({ name, title, description, inputSchema, annotations }: ToolItem): string {
  return digestJson({ name, title, description, inputSchema, annotations })
}

/**
 * Compares the server with its stored approval. Without an approval nothing differs, because the first use
 * approves the server: the user has configured it or trusted its workspace. Tools that are added later need
 * approval, because a new tool is as risky as a changed one. The trust of a workspace already includes how
 * its servers start, so that is not compared.
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

/**
 * Stores the first approval of a new server with its tools, or a changed launch. Callers do not start a
 * server with a refused launch, so a changed launch is that of a workspace's server, which needs no approval.
 * Returns how the server differed from the approval that was stored before.
 */
export async function meetMcpServer(
  dataDir: string,
  server: McpServer,
  listing: ServerListing,
): Promise<ApprovalStanding> {
  const approval = readApproval(dataDir, server.key)
  const standing = compareApproval(server, approval, listing.tools)
  if (!approval || approval.launch !== server.print) {
    const parts = approval?.parts ?? partsOf(listing.tools)
    await grantApproval(dataDir, server.key, { launch: server.print, parts })
  }
  return standing
}

/**
 * Stores the user's approval of the server as configured now, with its latest listing. Tools that were
 * approved before stay approved.
 */
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
