// Tools that do not come with Anode: toolbox programs, plugins and MCP servers. Looked for only when somebody may ask for them.
import { FailureError, UserError } from '../../base/errors.ts'
import type { Member } from '../../mcp/member.ts'
import type { Offered, Servers } from '../../mcp/servers.ts'
import type { Plugins } from '../../plugin/plugins.ts'
import type { Run, Spawn } from '../../process/command.ts'
import type { Skill } from '../../skill/skill.ts'
import type { Entry } from '../../tool/catalog.ts'
import type { User } from '../../tool/ctx.ts'
import type { Mention } from '../../tool/mention.ts'
import type { Surroundings } from '../surroundings.ts'
import { allowsSkillServers, aroundOf, configuredServers, serversOfSkill } from './servers.ts'
import { toolboxOf } from './toolbox.ts'

type Describe = typeof import('../describe.ts')

/** What starting others' programs takes. */
export interface Means {
  run: Run
  spawn: Spawn
  user: User | undefined
  plugins: Plugins | undefined
  /** Ends the wait for servers that are asked what they offer. */
  signal: AbortSignal
}

export interface Foreign {
  /** The same array until a server or skill has changed it. */
  entries(): readonly Entry[]
  /** What is not in use, and why; one line each. */
  notes(): string[]
  /** Absent when none is configured. */
  readonly servers: Servers | undefined
  /** The content of a resource. Rejects with FailureError, also for a server that does not exist. */
  read(mention: Mention, signal: AbortSignal): Promise<string>
  /** Puts in the servers of a skill that is being loaded; what a model should know of them. */
  addSkill(skill: Skill): Promise<string | undefined>
  close(): Promise<void>
}

/** Starts the servers of which nothing is known yet, and waits for them as long as each of them may take to start. */
export async function openForeign(around: Surroundings, means: Means): Promise<Foreign> {
  const [toolbox, configured] = await Promise.all([toolboxOf(around, means.run), configuredServers(around)])
  let servers: Servers | undefined
  // describing a tool takes the part of zod that writes JSON Schema, which nobody needs who has none of these
  let describe: Describe | undefined
  const open = async (declared: Parameters<Servers['add']>[0]) => {
    if (servers) servers.add(declared)
    else {
      const { openServers } = await import('../../mcp/servers.ts')
      describe = await import('../describe.ts')
      servers = openServers(declared, aroundOf(around), wiresOf(around, means))
    }
    await servers.list(means.signal)
  }
  if (configured.servers.length > 0) await open(configured.servers)
  let seen: readonly Offered[] | undefined
  const still = [...toolbox.entries, ...(await entriesOfPlugins(means.plugins))]
  let entries: readonly Entry[] = still
  return {
    get servers() {
      return servers
    },
    entries() {
      const tools = servers?.tools()
      if (tools === seen) return entries
      seen = tools
      entries = [...still, ...(tools ?? []).map((tool) => entryOf(tool, describe as Describe))]
      return entries
    },
    notes: () => [
      ...toolbox.notes,
      ...(means.plugins?.notes ?? []),
      ...configured.notes,
      ...(servers?.notes() ?? []),
    ],
    async read({ server, uri }, signal) {
      const { readResource } = await import('../../mcp/resource.ts')
      return readResource(memberOf(servers, server), uri, signal)
    },
    async addSkill(skill) {
      const brought = await serversOfSkill(skill)
      const names = brought.servers.map(({ name }) => name)
      if (names.length === 0) return brought.notes.join('\n') || undefined
      if (!allowsSkillServers(around)) {
        return `This skill brings MCP servers (${names.join(', ')}) that are not used: they need a trusted workspace or skills.allowMCP.`
      }
      await open(
        brought.servers.filter(({ name }) => !servers?.members.some((one) => one.server.name === name)),
      )
      return toldOf(servers, names)
    },
    close: async () => servers?.close(),
  }
}

/** What connections to servers are made with. */
export function wiresOf({ data, workspace }: Surroundings, { spawn, user }: Pick<Means, 'spawn' | 'user'>) {
  return { spawn, dataDir: data, workspace, version: process.env.ANODE_VERSION ?? '0', user }
}

/** The server of that name for somebody who cannot correct a configuration. */
function memberOf(servers: Servers | undefined, name: string): Member {
  try {
    if (servers) return servers.find(name)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new FailureError({
      code: 'not_found',
      message: error.message,
      ...(error.hint && { hint: error.hint }),
    })
  }
  throw new FailureError({
    code: 'not_found',
    message: `there is no MCP server named ${name}: none is configured`,
  })
}

async function entriesOfPlugins(plugins: Plugins | undefined): Promise<Entry[]> {
  if (!plugins || plugins.tools.length === 0) return []
  const { entriesOf } = await import('../describe.ts')
  return plugins.tools.flatMap(({ tool, origin }) => entriesOf([tool], origin))
}

function entryOf({ tool, schema, origin, hidden }: Offered, describe: Describe): Entry {
  const [entry] = describe.entriesOf([tool], origin) as [Entry]
  return { ...entry, schema, ...(hidden !== undefined && { unusable: hidden }) }
}

function toldOf(servers: Servers | undefined, names: readonly string[]): string {
  const lines = names.map((name) => {
    const member = servers?.members.find((one) => one.server.name === name)
    const tools = servers?.tools().filter(({ origin }) => origin === `mcp ${name}`) ?? []
    const usable = tools.filter(({ hidden }) => hidden === undefined).map(({ tool }) => tool.name)
    return usable.length > 0
      ? usable.join(', ')
      : `none of ${name}${member?.fault ? ` (${member.fault})` : ''}`
  })
  return `Tools of its MCP servers: ${lines.join('; ')}.`
}
