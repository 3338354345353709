// Which MCP servers are configured: the user's files, the workspace's when it is trusted, and what is wrong
// with them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configDir } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { readSmall } from '../../base/files/small-file.ts'
import { homedir } from '../../base/home.ts'
import type { DeclaredServer, McpServerContext } from '../../mcp/config/server-config.ts'
import type { Skill } from '../../skill/skill.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'
import type { ConfiguredServers } from './mcp-server-file.ts'

/**
 * In order of precedence: of two with one name the first counts, so that a workspace cannot take a user's
 * name.
 */
export async function readConfiguredServers(context: WorkspaceContext): Promise<ConfiguredServers> {
  const { env, workspace, trusted, loaded } = context
  if (loaded.config.mcp?.enabled === false) return { servers: [], notes: [] }
  const own = join(workspace, 'anode.json')
  const found: ConfiguredServers = { servers: [], notes: [] }
  const config = Object.entries(loaded.config.mcpServers ?? {}).map(([name, one]): DeclaredServer => {
    const path = [...loaded.origins].find(([key]) => key.startsWith(`mcpServers.${name}.`))?.[1] ?? own
    return { name, origin: path === own ? 'workspace' : 'user', path, settings: one }
  })
  const shared = join(workspace, '.mcp.json')
  found.servers.push(...config.filter(({ origin }) => origin === 'user'))
  await readFile(join(configDir(env), 'mcp.json'), 'user', found)
  found.servers.push(...config.filter(({ origin }) => origin === 'workspace'))
  if (trusted) await readFile(shared, 'workspace', found)
  else if (existsSync(shared)) found.notes.push(`${shared} is ignored until \`anode trust\`${gateNote(env)}`)
  return found
}

/** The servers that a skill brings, named after it so that they take no other server's name. */
export async function readSkillServers({ name, mcp = {}, dir, origin }: Skill): Promise<ConfiguredServers> {
  const found: ConfiguredServers = { servers: [], notes: [] }
  const path = join(dir, 'SKILL.md')
  const { addDeclaredServer } = await import('./mcp-server-file.ts')
  for (const [server, config] of Object.entries(mcp)) {
    addDeclaredServer(
      `${name}_${server}`,
      config,
      origin === 'workspace' ? 'workspace' : 'skill',
      path,
      found,
    )
  }
  return found
}

/**
 * Whether servers of skills may be started: in a trusted workspace, or when the user's own configuration or
 * environment says so. Skills of a workspace that is not trusted do not exist, so neither of them lets
 * anything of it start.
 */
export function allowsSkillServers({ trusted, loaded, env }: WorkspaceContext): boolean {
  return trusted || loaded.config.skills?.allowMCP === true || isGateOpen(env)
}

const isGateOpen = (env: WorkspaceContext['env']) =>
  /^(1|true|yes|on)$/i.test(env.ANODE_ENABLE_WORKSPACE_MCP ?? '')

const gateNote = (env: WorkspaceContext['env']) =>
  isGateOpen(env) ? '; ANODE_ENABLE_WORKSPACE_MCP opens servers of skills only' : ''

/** What every server is seen against. */
export function mcpServerContext({ env, workspace, trusted, loaded }: WorkspaceContext): McpServerContext {
  return { env, workspace, trusted, home: env.HOME || homedir(), defaults: loaded.config.mcp ?? {} }
}

async function readFile(
  path: string,
  origin: DeclaredServer['origin'],
  found: ConfiguredServers,
): Promise<void> {
  try {
    const text = readSmall(path)
    if (text !== undefined)
      await (await import('./mcp-server-file.ts')).parseServerFile(text, origin, path, found)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    found.notes.push(`${path}: ${error.message}`)
  }
}
