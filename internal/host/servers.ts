// Which MCP servers are configured: the user's files, the workspace's when it is trusted, and what is wrong with them.
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ParseError } from 'jsonc-parser'
import * as z from 'zod/mini'
import { configDir } from '../base/dirs.ts'
import { messageOf, UserError } from '../base/errors.ts'
import { nearest } from '../base/nearest.ts'
import { readSmall } from '../base/small-file.ts'
import { serverKeys, sharedServer } from '../config/server.ts'
import type { Around, Declared } from '../mcp/server.ts'
import type { Skill } from '../skill/skill.ts'
import type { Surroundings } from './surroundings.ts'

export interface Configured {
  servers: Declared[]
  notes: string[]
}

/** In order of precedence: of two with one name the first counts, so that a workspace cannot take a user's name. */
export async function configuredServers(around: Surroundings): Promise<Configured> {
  const { env, workspace, trusted, loaded } = around
  if (loaded.config.mcp?.enabled === false) return { servers: [], notes: [] }
  const own = join(workspace, 'anode.json')
  const found: Configured = { servers: [], notes: [] }
  const said = Object.entries(loaded.config.mcpServers ?? {}).map(([name, one]): Declared => {
    const path = [...loaded.origins].find(([key]) => key.startsWith(`mcpServers.${name}.`))?.[1] ?? own
    return { name, origin: path === own ? 'workspace' : 'user', path, said: one }
  })
  const shared = join(workspace, '.mcp.json')
  found.servers.push(...said.filter(({ origin }) => origin === 'user'))
  await readFile(join(configDir(env), 'mcp.json'), 'user', found)
  found.servers.push(...said.filter(({ origin }) => origin === 'workspace'))
  if (trusted) await readFile(shared, 'workspace', found)
  else if (existsSync(shared)) found.notes.push(`${shared} is ignored until \`anode trust\``)
  return found
}

/** The servers that a skill brings, named after it so that they take no other server's name. */
export function serversOfSkill({ name, mcp = {}, dir, origin }: Skill): Configured {
  const found: Configured = { servers: [], notes: [] }
  const path = join(dir, 'SKILL.md')
  for (const [server, said] of Object.entries(mcp)) {
    take(`${name}_${server}`, said, origin === 'workspace' ? 'workspace' : 'skill', path, found)
  }
  return found
}

/** What every server is seen against. */
export function aroundOf({ env, workspace, trusted, loaded }: Surroundings): Around {
  return { env, workspace, trusted, home: env.HOME || homedir(), defaults: loaded.config.mcp ?? {} }
}

async function readFile(path: string, origin: Declared['origin'], found: Configured): Promise<void> {
  try {
    const text = readSmall(path)
    if (text === undefined) return
    const value = await parse(text)
    const servers = (value as { mcpServers?: unknown } | null)?.mcpServers
    if (typeof servers !== 'object' || servers === null || Array.isArray(servers)) {
      throw new UserError('it has no object mcpServers')
    }
    for (const [name, said] of Object.entries(servers)) take(name, said, origin, path, found)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    found.notes.push(`${path}: ${error.message}`)
  }
}

function take(
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

async function parse(text: string): Promise<unknown> {
  const { parse: read, printParseErrorCode } = await import('jsonc-parser')
  const errors: ParseError[] = []
  try {
    const value: unknown = read(text, errors, { allowTrailingComma: true })
    const [first] = errors
    if (first)
      throw new UserError(`not valid JSON: ${printParseErrorCode(first.error)} at character ${first.offset}`)
    return value
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`not valid JSON: ${messageOf(error)}`, { cause: error })
  }
}
