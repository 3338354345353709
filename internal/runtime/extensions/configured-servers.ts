// The configured MCP servers: those of the user's files and of a trusted workspace, and notices about errors.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configDir, homeDir } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { isEmptyDirectory, readSmall } from '../../base/files/open-file.ts'
import type { DeclaredServer, McpServerContext } from '../../mcp/config/server-config.ts'
import type { Skill } from '../../skill/skill.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'
import type { ConfiguredServers } from './mcp-server-file.ts'

const loadServerFile = () => import('./mcp-server-file.ts')

/**
 * Returns the servers in order of precedence: of two servers with the same name the first counts, so that a
 * workspace cannot replace a server of the user. Empty if MCP is turned off.
 */
export async function readConfiguredServers(context: WorkspaceContext): Promise<ConfiguredServers> {
  const { env, workspace, trusted, loaded } = context
  if (loaded.config.mcp?.enabled === false) return { servers: [], notes: [] }
  const configPath = join(workspace, 'anode.json')
  const foundServers: ConfiguredServers = { servers: [], notes: [] }
  const config = Object.entries(loaded.config.mcpServers ?? {}).map(([name, one]): DeclaredServer => {
    const path = [...loaded.origins].find(([key]) => key.startsWith(`mcpServers.${name}.`))?.[1] ?? configPath
    return { name, origin: path === configPath ? 'workspace' : 'user', path, settings: one }
  })
  const shared = join(workspace, '.mcp.json')
  foundServers.servers.push(...config.filter(({ origin }) => origin === 'user'))
  await readFile(join(configDir(env), 'mcp.json'), 'user', foundServers)
  foundServers.servers.push(...config.filter(({ origin }) => origin === 'workspace'))
  const hasShared = existsSync(shared) && !isEmptyDirectory(shared)
  if (trusted && hasShared) await readFile(shared, 'workspace', foundServers)
  else if (hasShared) foundServers.notes.push(`${shared} is ignored until \`anode trust\`${gateNote(env)}`)
  return foundServers
}

/**
 * Returns the servers of a skill. Their names begin with the skill's name, so that they replace
 * no other server.
 */
export async function readSkillServers({ name, mcp = {}, dir, origin }: Skill): Promise<ConfiguredServers> {
  const foundServers: ConfiguredServers = { servers: [], notes: [] }
  const path = join(dir, 'SKILL.md')
  const { addDeclaredServer } = await loadServerFile()
  for (const [server, config] of Object.entries(mcp)) {
    addDeclaredServer(
      `${name}_${server}`,
      config,
      origin === 'workspace' ? 'workspace' : 'skill',
      path,
      foundServers,
    )
  }
  return foundServers
}

/**
 * Returns true if servers of skills may start: in a trusted workspace, or if the user's configuration or
 * environment allows it. Skills of an untrusted workspace are never loaded, so this permission cannot
 * start their servers.
 */
export function allowsSkillServers({ trusted, loaded, env }: WorkspaceContext): boolean {
  return trusted || loaded.config.skills?.allowMCP === true || isGateOpen(env)
}

const isGateOpen = (env: WorkspaceContext['env']) =>
  /^(1|true|yes|on)$/i.test(env.ANODE_ENABLE_WORKSPACE_MCP ?? '')

const gateNote = (env: WorkspaceContext['env']) =>
  isGateOpen(env) ? '; ANODE_ENABLE_WORKSPACE_MCP opens servers of skills only' : ''

/** Returns the context in which the settings of every server are read. */
export function mcpServerContext({ env, workspace, trusted, loaded }: WorkspaceContext): McpServerContext {
  return { env, workspace, trusted, home: env.HOME || homeDir(), defaults: loaded.config.mcp ?? {} }
}

async function readFile(
  path: string,
  origin: DeclaredServer['origin'],
  foundServers: ConfiguredServers,
): Promise<void> {
  try {
    const text = readSmall(path)
    if (text !== undefined) await (await loadServerFile()).parseServerFile(text, origin, path, foundServers)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    foundServers.notes.push(`${path}: ${error.message}`)
  }
}
