// The MCP servers of a session that have been started, and the tools that they offer.
import { FailureError, UserError } from '../../base/errors.ts'
import type { DeclaredServer } from '../../mcp/config/server-config.ts'
import type { McpServers, OfferedTool } from '../../mcp/mcp-servers.ts'
import type { McpMember } from '../../mcp/server-member.ts'
import type { PluginSet } from '../../plugin/plugins.ts'
import type { RunCommand, ShowStart, SpawnProcess } from '../../process/process-command.ts'
import type { Skill } from '../../skill/skill.ts'
import type { ToolEntry } from '../../tool/catalog.ts'
import type { UserChannel } from '../../tool/ctx.ts'
import { mcpServerContext, readSkillServers } from '../extensions/configured-servers.ts'
import { faultOf } from '../extensions/late-servers.ts'
import { openStartingServers, type StartingServers } from '../extensions/starting-servers.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'

type DescribeServers = typeof import('./described-servers.ts').describedServers

/** Options for programs that provide tools, such as MCP servers. */
export interface ExternalToolOptions {
  run: RunCommand
  spawn: SpawnProcess
  user: UserChannel | undefined
  plugins: PluginSet | undefined
  /**
   * Servers that the client passed to this session. A configured server with the same name has precedence.
   */
  servers: readonly DeclaredServer[]
  /** Ends the wait for servers and programs that list their tools. */
  signal: AbortSignal
  showStart?: ShowStart | undefined
  /**
   * True to start the workspace's servers in the background. Default: the caller waits for them
   * as for all others.
   */
  isWorkspaceLater?: boolean | undefined
}

/** MCP servers of a session. Skills can add more of them. */
export class StartedServers {
  readonly #context: WorkspaceContext
  readonly #means: ExternalToolOptions
  readonly starting: StartingServers
  /**
   * The module that describes tools. It loads with the first server, because it needs the part of zod that
   * writes JSON Schema, which is useless without servers.
   */
  #describe: DescribeServers | undefined
  running: McpServers | undefined

  constructor(context: WorkspaceContext, means: ExternalToolOptions) {
    this.#context = context
    this.#means = means
    const find = (name: string) => this.running?.members.find(({ server }) => server.name === name)
    this.starting = openStartingServers(find, means.showStart)
  }

  /**
   * Adds servers and waits until each has listed its tools or failed. `isWorkspaceLater`: the workspace's
   * servers start in the background, without a wait.
   */
  async add(declared: Parameters<McpServers['add']>[0], isWorkspaceLater = false): Promise<void> {
    if (this.running) this.running.add(declared)
    else {
      const { describedServers } = await import('./described-servers.ts')
      this.#describe = describedServers
      const connection = mcpConnectionOptions(this.#context, this.#means)
      this.running = describedServers.openMcpServers(declared, mcpServerContext(this.#context), connection)
    }
    const isLater = ({ server }: McpMember) => isWorkspaceLater && server.origin === 'workspace'
    this.starting.start(this.running.members.filter((one) => isLater(one) && one.isDue()))
    const later = this.starting.list()
    await this.running.list(this.#means.signal, this.#means.showStart, (one) => !later.includes(one))
  }

  async close(): Promise<void> {
    await this.starting.close()
    await this.running?.close()
  }

  /** Converts a tool of a server to a catalog entry. The server has to be one that `add` added. */
  entryOf({ tool, schema, origin, onDemand, hidden }: OfferedTool): ToolEntry {
    const [entry] = (this.#describe as DescribeServers).toToolEntries([tool], origin) as [ToolEntry]
    return { ...entry, schema, onDemand, unusable: hidden ?? entry.unusable }
  }
}

/**
 * Starts the MCP servers of a skill if that is allowed. Returns a text for the model about the new tools or
 * the reason why the servers are not used; undefined for a skill without servers and notes.
 */
export async function addSkillServers(
  servers: StartedServers,
  skill: Skill,
  isAllowed: boolean,
): Promise<string | undefined> {
  const brought = await readSkillServers(skill)
  const names = brought.servers.map(({ name }) => name)
  if (names.length === 0) return brought.notes.join('\n') || undefined
  if (!isAllowed) {
    return (
      `This skill brings MCP servers (${names.join(', ')}) that are not used: they need ` +
      'a trusted workspace or skills.allowMCP.'
    )
  }
  await servers.add(
    brought.servers.filter(({ name }) => !servers.running?.members.some((one) => one.server.name === name)),
  )
  return describeNewTools(servers, names)
}

/** Returns the options for connections to servers. */
export function mcpConnectionOptions(
  { data, workspace }: WorkspaceContext,
  { spawn, user }: Pick<ExternalToolOptions, 'spawn' | 'user'>,
) {
  return { spawn, dataDir: data, workspace, version: process.env.ANODE_VERSION ?? '0', user }
}

/**
 * Returns the server with that name. For an unknown name, throws FailureError `not_found` instead of
 * UserError, because a model reads the error.
 */
export function memberOf(servers: McpServers | undefined, name: string): McpMember {
  try {
    if (servers) return servers.find(name)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new FailureError({ code: 'not_found', message: error.message, hint: error.hint || undefined })
  }
  throw new FailureError({
    code: 'not_found',
    message: `unknown MCP server "${name}": no MCP server is configured`,
  })
}

function describeNewTools({ running, starting }: StartedServers, names: readonly string[]): string {
  const lines = names.map((name) => {
    const fault = faultOf(starting.find(name))
    const tools = running?.tools().filter(({ origin }) => origin === `mcp ${name}`) ?? []
    const usable = tools.filter(({ hidden }) => hidden === undefined).map(({ tool }) => tool.name)
    return usable.length > 0 ? usable.join(', ') : `none of ${name}${fault ? ` (${fault})` : ''}`
  })
  return `Tools of its MCP servers: ${lines.join('; ')}.`
}
