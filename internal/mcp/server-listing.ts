// Lists of a server's tools, prompts and resources, stored in the data directory so that they can be read
// without a start of the server.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../base/files/atomic-write.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { readSmall } from '../base/files/open-file.ts'
import type { McpToolAnnotations } from './config/tool-level.ts'

export interface ToolItem {
  name: string
  title?: string | undefined
  description?: string | undefined
  inputSchema: Record<string, unknown>
  annotations?: McpToolAnnotations | undefined
}

export interface PromptItem {
  name: string
  description?: string | undefined
  arguments?: { name: string; description?: string | undefined; required?: boolean | undefined }[] | undefined
}

export interface ResourceItem {
  uri: string
  name: string
  description?: string | undefined
  mimeType?: string | undefined
}

export interface ServerListing {
  /** Digest of how the server was launched for the listing, as in `McpServer.print`. */
  print: string
  /** Time of the listing, ISO 8601. */
  at: string
  /**
   * Reason why the server could not be listed. The lists are then those of the last successful request with
   * the same configuration, or empty.
   */
  failed?: string
  /** The server's protocol: `legacy` starts with `initialize`, `modern` with `server/discover`. */
  era?: 'legacy' | 'modern'
  server?: { name: string; version: string }
  tools: ToolItem[]
  prompts: PromptItem[]
  resources: ResourceItem[]
}

/**
 * Returns the listing. Undefined if it is missing, damaged or of another version, because it can be requested
 * again. Throws UserError if the file cannot be read or exceeds 16 MiB.
 */
export function readListing(dataDir: string, key: string): ServerListing | undefined {
  const text = readSmall(fileOf(dataDir, key), 16 << 20)
  if (text === undefined) return undefined
  try {
    const value = JSON.parse(text) as Partial<ServerListing> & { version?: unknown }
    const lists = [value.tools, value.prompts, value.resources]
    return value.version === 1 && typeof value.print === 'string' && lists.every(Array.isArray)
      ? (value as ServerListing)
      : undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

export async function storeListing(dataDir: string, key: string, listing: ServerListing): Promise<void> {
  makeDirectory(join(dataDir, 'mcp'), 0o700)
  const text = JSON.stringify({ version: 1, ...listing })
  await writeAtomic(fileOf(dataDir, key), Buffer.from(text), { mode: 0o600 })
}

export function dropListing(dataDir: string, key: string): void {
  rmSync(fileOf(dataDir, key), { force: true })
}

function fileOf(dataDir: string, key: string): string {
  return join(dataDir, 'mcp', `${key}.json`)
}
