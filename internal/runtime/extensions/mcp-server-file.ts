// Reader of declarations of MCP servers in the format that other programs share. Loaded only if a file of
// servers exists or a skill declares servers.
import * as z from 'zod/mini'
import { UserError } from '../../base/errors.ts'
import { parseJsonc } from '../../base/text/jsonc.ts'
import { findNearest } from '../../base/text/name-suggestion.ts'
import { buildSharedServerFields, listServerKeys } from '../../config/mcp-server-schema.ts'
import type { DeclaredServer } from '../../mcp/config/server-config.ts'

/** The declared servers, and notices about entries that were skipped. */
export interface ConfiguredServers {
  servers: DeclaredServer[]
  notes: string[]
}

/**
 * Adds the servers that the text at `path` declares to `foundServers`. Throws UserError if the file
 * has another format.
 */
export async function parseServerFile(
  text: string,
  origin: DeclaredServer['origin'],
  path: string,
  foundServers: ConfiguredServers,
): Promise<void> {
  const value = await parseJsonc(text)
  const servers = (value as { mcpServers?: unknown } | null)?.mcpServers
  if (typeof servers !== 'object' || servers === null || Array.isArray(servers)) {
    throw new UserError('it has no object mcpServers')
  }
  for (const [name, config] of Object.entries(servers))
    addDeclaredServer(name, config, origin, path, foundServers)
}

/** Adds one server, or a note about the error in its entry. Also notes keys that look mistyped. */
export function addDeclaredServer(
  name: string,
  config: unknown,
  origin: DeclaredServer['origin'],
  path: string,
  foundServers: ConfiguredServers,
): void {
  const parsed = z.safeParse(buildSharedServerFields(), config)
  if (parsed.success) {
    foundServers.servers.push({ name, origin, path, settings: parsed.data })
    const knownKeys = listServerKeys()
    for (const key of Object.keys(config as object)) {
      const near = knownKeys.includes(key) ? undefined : findNearest(key, knownKeys, 1)[0]
      if (near !== undefined)
        foundServers.notes.push(`${path}: ${name}: unknown key ${key}, did you mean ${near}?`)
    }
    return
  }
  const [first] = parsed.error.issues
  const where = first?.path.join('.') || 'it'
  const what = first?.code === 'invalid_type' ? `must be of type ${first.expected}` : 'is not valid'
  foundServers.notes.push(`${path}: the MCP server ${name} is left out: ${where} ${what}`)
}
