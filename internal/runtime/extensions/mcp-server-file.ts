// Reads files that declare MCP servers, in the form that other programs use too. Loaded only where there is
// one.
import * as z from 'zod/mini'
import { UserError } from '../../base/errors.ts'
import { parseJsonc } from '../../base/text/jsonc.ts'
import { findNearest } from '../../base/text/name-suggestion.ts'
import { buildSharedServerFields, listServerKeys } from '../../config/mcp-server-schema.ts'
import type { DeclaredServer } from '../../mcp/config/server-config.ts'

/** What was found, and what a person should know of the rest. */
export interface ConfiguredServers {
  servers: DeclaredServer[]
  notes: string[]
}

/** Adds what the text at `path` declares to `found`. Throws UserError when it is no such file. */
export async function parseServerFile(
  text: string,
  origin: DeclaredServer['origin'],
  path: string,
  found: ConfiguredServers,
): Promise<void> {
  const value = await parseJsonc(text)
  const servers = (value as { mcpServers?: unknown } | null)?.mcpServers
  if (typeof servers !== 'object' || servers === null || Array.isArray(servers)) {
    throw new UserError('it has no object mcpServers')
  }
  for (const [name, config] of Object.entries(servers)) addDeclaredServer(name, config, origin, path, found)
}

/** Adds one server, or a note of what is wrong with it. */
export function addDeclaredServer(
  name: string,
  config: unknown,
  origin: DeclaredServer['origin'],
  path: string,
  found: ConfiguredServers,
): void {
  const parsed = z.safeParse(buildSharedServerFields(), config)
  if (parsed.success) {
    found.servers.push({ name, origin, path, settings: parsed.data })
    const known = listServerKeys()
    for (const key of Object.keys(config as object)) {
      const near = known.includes(key) ? undefined : findNearest(key, known, 1)[0]
      if (near !== undefined) found.notes.push(`${path}: ${name}: unknown key ${key}, did you mean ${near}?`)
    }
    return
  }
  const [first] = parsed.error.issues
  const where = first?.path.join('.') || 'it'
  const what = first?.code === 'invalid_type' ? `must be of type ${first.expected}` : 'is not valid'
  found.notes.push(`${path}: the MCP server ${name} is left out: ${where} ${what}`)
}
