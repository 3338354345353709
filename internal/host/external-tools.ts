// Tools that do not come with Anode: toolbox programs, plugins and MCP servers. Looked for only when somebody
// may ask for them.
import { FailureError, UserError } from '../base/errors.ts'
import type { McpServers, OfferedTool } from '../mcp/mcp-servers.ts'
import type { McpMember } from '../mcp/server-member.ts'
import type { PluginSet } from '../plugin/plugins.ts'
import type { RunCommand, SpawnProcess } from '../process/process-command.ts'
import type { Skill } from '../skill/skill.ts'
import type { ToolEntry } from '../tool/catalog.ts'
import type { ResourceMention, UserChannel } from '../tool/ctx.ts'
import {
  allowsSkillServers,
  mcpServerContext,
  readConfiguredServers,
  readSkillServers,
} from './extensions/configured-servers.ts'
import { loadToolboxes } from './extensions/toolbox.ts'
import type { WorkspaceContext } from './workspace.ts'

type Describe = typeof import('./tool-descriptions.ts')

/** What starting others' programs takes. */
interface ExternalToolOptions {
  run: RunCommand
  spawn: SpawnProcess
  user: UserChannel | undefined
  plugins: PluginSet | undefined
  /** Ends the wait for servers that are asked what they offer. */
  signal: AbortSignal
}

export interface ExternalTools {
  /** The same array until a server or skill has changed it. */
  entries(): readonly ToolEntry[]
  /** What is not in use, and why; one line each. */
  notes(): string[]
  /** Absent when none is configured. */
  readonly servers: McpServers | undefined
  /** The content of a resource. Rejects with FailureError, also for a server that does not exist. */
  read(mention: ResourceMention, signal: AbortSignal): Promise<string>
  /** Puts in the servers of a skill that is being loaded; what a model should know of them. */
  addSkill(skill: Skill): Promise<string | undefined>
  close(): Promise<void>
}

/**
 * Starts the servers of which nothing is known yet, and waits for them as long as each of them may take to
 * start.
 */
export async function openExternalTools(
  context: WorkspaceContext,
  means: ExternalToolOptions,
): Promise<ExternalTools> {
  const [toolbox, configured] = await Promise.all([
    loadToolboxes(context, means.run),
    readConfiguredServers(context),
  ])
  let servers: McpServers | undefined
  // describing a tool takes the part of zod that writes JSON Schema, which nobody needs who has none of these
  let describe: Describe | undefined
  const open = async (declared: Parameters<McpServers['add']>[0]) => {
    if (servers) servers.add(declared)
    else {
      const { openMcpServers } = await import('../mcp/mcp-servers.ts')
      describe = await import('./tool-descriptions.ts')
      servers = openMcpServers(declared, mcpServerContext(context), mcpConnectionOptions(context, means))
    }
    await servers.list(means.signal)
  }
  if (configured.servers.length > 0) await open(configured.servers)
  let lastOffered: readonly OfferedTool[] | undefined
  const still = [...toolbox.entries, ...(await entriesOfPlugins(means.plugins))]
  let entries: readonly ToolEntry[] = still
  return {
    get servers() {
      return servers
    },
    entries() {
      const tools = servers?.tools()
      if (tools === lastOffered) return entries
      lastOffered = tools
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
      const { readResource } = await import('../mcp/mcp-resource.ts')
      return readResource(memberOf(servers, server), uri, signal)
    },
    async addSkill(skill) {
      const brought = await readSkillServers(skill)
      const names = brought.servers.map(({ name }) => name)
      if (names.length === 0) return brought.notes.join('\n') || undefined
      if (!allowsSkillServers(context)) {
        return (
          `This skill brings MCP servers (${names.join(', ')}) that are not used: they need a ` +
          'trusted workspace or skills.allowMCP.'
        )
      }
      await open(
        brought.servers.filter(({ name }) => !servers?.members.some((one) => one.server.name === name)),
      )
      return describeNewTools(servers, names)
    },
    close: async () => servers?.close(),
  }
}

/** What connections to servers are made with. */
export function mcpConnectionOptions(
  { data, workspace }: WorkspaceContext,
  { spawn, user }: Pick<ExternalToolOptions, 'spawn' | 'user'>,
) {
  return { spawn, dataDir: data, workspace, version: process.env.ANODE_VERSION ?? '0', user }
}

/** The server of that name for somebody who cannot correct a configuration. */
function memberOf(servers: McpServers | undefined, name: string): McpMember {
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

async function entriesOfPlugins(plugins: PluginSet | undefined): Promise<ToolEntry[]> {
  if (!plugins || plugins.tools.length === 0) return []
  const { toToolEntries } = await import('./tool-descriptions.ts')
  return plugins.tools.flatMap(({ tool, origin }) => toToolEntries([tool], origin))
}

function entryOf({ tool, schema, origin, hidden }: OfferedTool, describe: Describe): ToolEntry {
  const [entry] = describe.toToolEntries([tool], origin) as [ToolEntry]
  return { ...entry, schema, ...(hidden !== undefined && { unusable: hidden }) }
}

function describeNewTools(servers: McpServers | undefined, names: readonly string[]): string {
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
