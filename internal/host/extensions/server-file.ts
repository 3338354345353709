// Reads files that declare MCP servers, in the form that other programs use too. Loaded only where there is one.
import * as z from 'zod/mini'
import { UserError } from '../../base/errors.ts'
import { parseJsonc } from '../../base/jsonc.ts'
import { nearest } from '../../base/nearest.ts'
import { serverKeys, sharedServer } from '../../config/server.ts'
import type { Declared } from '../../mcp/server.ts'

/** What was found, and what a person should know of the rest. */
export interface Configured {
  servers: Declared[]
  notes: string[]
}

/** Adds what the text at `path` declares to `found`. Throws UserError when it is no such file. */
export async function readServers(
  text: string,
  origin: Declared['origin'],
  path: string,
  found: Configured,
): Promise<void> {
  const value = await parseJsonc(text)
  const servers = (value as { mcpServers?: unknown } | null)?.mcpServers
  if (typeof servers !== 'object' || servers === null || Array.isArray(servers)) {
    throw new UserError('it has no object mcpServers')
  }
  for (const [name, said] of Object.entries(servers)) take(name, said, origin, path, found)
}

/** Adds one server, or a note of what is wrong with it. */
export function take(
  name: string,
  said: unknown,
  origin: Declared['origin'],
  path: string,
  found: Configured,
): void {
  const parsed = z.safeParse(sharedServer, said)
  if (parsed.success) {
    found.servers.push({ name, origin, path, said: parsed.data })
    for (const key of Object.keys(said as object)) {
      const near = serverKeys.includes(key) ? undefined : nearest(key, serverKeys, 1)[0]
      if (near !== undefined) found.notes.push(`${path}: ${name}: unknown key ${key}, did you mean ${near}?`)
    }
    return
  }
  const [first] = parsed.error.issues
  const where = first?.path.join('.') || 'it'
  const what = first?.code === 'invalid_type' ? `must be of type ${first.expected}` : 'is not valid'
  found.notes.push(`${path}: the MCP server ${name} is left out: ${where} ${what}`)
}
