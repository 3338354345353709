// Which MCP servers are configured: the user's files, the workspace's when it is trusted, and what is wrong with them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configDir } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { homedir } from '../../base/home.ts'
import { readSmall } from '../../base/small-file.ts'
import type { Around, Declared } from '../../mcp/server.ts'
import type { Skill } from '../../skill/skill.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Configured } from './server-file.ts'

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
export async function serversOfSkill({ name, mcp = {}, dir, origin }: Skill): Promise<Configured> {
  const found: Configured = { servers: [], notes: [] }
  const path = join(dir, 'SKILL.md')
  const { take } = await import('./server-file.ts')
  for (const [server, said] of Object.entries(mcp)) {
    take(`${name}_${server}`, said, origin === 'workspace' ? 'workspace' : 'skill', path, found)
  }
  return found
}

/**
 * Whether servers of skills may be started: in a trusted workspace, or when the user's own configuration or environment
 * says so. Skills of a workspace that is not trusted do not exist, so neither of them lets anything of it start.
 */
export function allowsSkillServers({ trusted, loaded, env }: Surroundings): boolean {
  const isOn = /^(1|true|yes|on)$/i.test(env.ANODE_ENABLE_WORKSPACE_MCP ?? '')
  return trusted || loaded.config.skills?.allowMCP === true || isOn
}

/** What every server is seen against. */
export function aroundOf({ env, workspace, trusted, loaded }: Surroundings): Around {
  return { env, workspace, trusted, home: env.HOME || homedir(), defaults: loaded.config.mcp ?? {} }
}

async function readFile(path: string, origin: Declared['origin'], found: Configured): Promise<void> {
  try {
    const text = readSmall(path)
    if (text !== undefined) await (await import('./server-file.ts')).readServers(text, origin, path, found)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    found.notes.push(`${path}: ${error.message}`)
  }
}
