// External tools: the user's programs and modules, plugins and MCP servers. Loaded only when a
// call may need them.
import { FailureError, UserError } from '../../base/errors.ts'
import type { DeclaredServer } from '../../mcp/config/server-config.ts'
import { readResource } from '../../mcp/mcp-resource.ts'
import type { McpServers, OfferedTool } from '../../mcp/mcp-servers.ts'
import type { McpMember } from '../../mcp/server-member.ts'
import type { PluginSet } from '../../plugin/plugins.ts'
import type { RunCommand, ShowStart, SpawnProcess } from '../../process/process-command.ts'
import type { Skill } from '../../skill/skill.ts'
import type { ToolEntry } from '../../tool/catalog.ts'
import type { ResourceContent, ResourceMention, UserChannel } from '../../tool/ctx.ts'
import {
  allowsSkillServers,
  mcpServerContext,
  readConfiguredServers,
  readSkillServers,
} from '../extensions/configured-servers.ts'
import { faultOf } from '../extensions/late-servers.ts'
import { openStartingServers, type StartingServers } from '../extensions/starting-servers.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'
import { loadCustomEntries } from './custom-tools.ts'

type Describe = typeof import('../../tool/describe.ts')

/** Options for starting external programs. */
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

export interface ExternalTools {
  /** Returns the tools. Returns the same array until a server or skill changes it. */
  entries(): readonly ToolEntry[]
  /**
   * Returns one line for each tool source that is not in use, with the reason. Returns no lines if
   * all of `names` exist.
   */
  notes(names?: readonly string[], all?: readonly ToolEntry[]): string[]
  /** The MCP servers; undefined if no server is configured. */
  readonly servers: McpServers | undefined
  /** Servers that start in the background. */
  readonly starting: StartingServers
  /** Returns the content of a resource. Rejects with FailureError, also for an unknown server. */
  read(mention: ResourceMention, signal: AbortSignal): Promise<ResourceContent>
  /**
   * Adds the servers of a skill that is loading. Returns a notice for the model, or undefined if there is
   * nothing to say.
   */
  addSkill(skill: Skill): Promise<string | undefined>
  /** Adds the custom tools in the workspace's directory `tools`, for toolsets that use it. */
  addFolderTools(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the external tools. Starts the servers whose tools are still unknown, and waits until each is ready
 * or reaches its own start timeout, except those that start in the background.
 */
export async function openExternalTools(
  context: WorkspaceContext,
  options: ExternalToolOptions,
): Promise<ExternalTools> {
  const stop = (signal = options.signal) => AbortSignal.any([signal, options.signal])
  const run: RunCommand = (command) => options.run({ ...command, signal: stop(command.signal) })
  const means = { ...options, run }
  const [toolbox, ownTools, configured] = await Promise.all([
    loadConfiguredToolboxes(context, means.run),
    loadCustomEntries(context, means.run, false),
    readConfiguredServers(context),
  ])
  let custom = ownTools
  const servers = new StartedServers(context, means)
  const given = context.loaded.config.mcp?.enabled === false ? [] : means.servers
  if (configured.servers.length + given.length > 0)
    await servers.add([...configured.servers, ...given], means.isWorkspaceLater)
  let lastOffered: readonly OfferedTool[] | undefined
  const plugins = await entriesOfPlugins(means.plugins)
  const still = () => [...toolbox.entries, ...custom.entries, ...plugins]
  let entries: readonly ToolEntry[] = still()
  return {
    get servers() {
      return servers.running
    },
    starting: servers.starting,
    entries() {
      const tools = servers.running?.tools()
      if (tools === lastOffered) return entries
      lastOffered = tools
      entries = [...still(), ...(tools ?? []).map((tool) => servers.entryOf(tool))]
      return entries
    },
    notes(names, all = []) {
      if (names?.every((name) => all.some((one) => one.name === name && one.unusable === undefined)))
        return []
      const brought = [...toolbox.notes, ...custom.notes, ...(means.plugins?.notes ?? [])]
      return [...brought, ...configured.notes, ...(servers.running?.notes() ?? [])]
    },
    async read({ server, uri }, signal) {
      return readResource(memberOf(servers.running, server), uri, signal)
    },
    async addFolderTools() {
      custom = await loadCustomEntries(context, means.run, true)
      const tools = servers.running?.tools() ?? []
      entries = [...still(), ...tools.map((tool) => servers.entryOf(tool))]
    },
    addSkill: (skill) => addSkillServers(servers, skill, allowsSkillServers(context)),
    close: () => servers.close(),
  }
}

/** Loads toolbox programs, and no code if neither the configuration nor the environment names a directory. */
async function loadConfiguredToolboxes(context: WorkspaceContext, run: RunCommand) {
  const { env, loaded } = context
  if (!env.ANODE_TOOLBOX && !loaded.config.tools?.toolboxDirs?.length) return { entries: [], notes: [] }
  return (await import('./toolbox.ts')).loadToolboxes(context, run)
}

/** Servers of a session, and the options to start more of them. */
class StartedServers {
  readonly #context: WorkspaceContext
  readonly #means: ExternalToolOptions
  readonly starting: StartingServers
  /**
   * The module that describes tools. It loads with the first server, because it needs the part of zod that
   * writes JSON Schema, which is useless without servers.
   */
  #describe: Describe | undefined
  running: McpServers | undefined

  constructor(context: WorkspaceContext, means: ExternalToolOptions) {
    this.#context = context
    this.#means = means
    const find = (name: string) => this.running?.members.find(({ server }) => server.name === name)
    this.starting = openStartingServers(find, means.showStart)
  }

  /**
   * Adds servers and waits until their tools are known. `isWorkspaceLater`: the workspace's servers start in
   * the background, without a wait.
   */
  async add(declared: Parameters<McpServers['add']>[0], isWorkspaceLater = false): Promise<void> {
    if (this.running) this.running.add(declared)
    else {
      const { openMcpServers } = await import('../../mcp/mcp-servers.ts')
      this.#describe = await import('../../tool/describe.ts')
      const connection = mcpConnectionOptions(this.#context, this.#means)
      this.running = openMcpServers(declared, mcpServerContext(this.#context), connection)
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

  /** Converts an offered tool to an entry. Valid only for tools of servers that were added. */
  entryOf({ tool, schema, origin, onDemand, hidden }: OfferedTool): ToolEntry {
    const [entry] = (this.#describe as Describe).toToolEntries([tool], origin) as [ToolEntry]
    return { ...entry, schema, onDemand, unusable: hidden ?? entry.unusable }
  }
}

/**
 * Adds a skill's servers if that is allowed. Returns a notice for the model; undefined for a skill without
 * servers and notes.
 */
async function addSkillServers(
  servers: StartedServers,
  skill: Skill,
  isAllowed: boolean,
): Promise<string | undefined> {
  const brought = await readSkillServers(skill)
  const names = brought.servers.map(({ name }) => name)
  if (names.length === 0) return brought.notes.join('\n') || undefined
  if (!isAllowed) {
    return (
      `This skill brings MCP servers (${names.join(', ')}) that are not used: they need a ` +
      'trusted workspace or skills.allowMCP.'
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
 * Returns the server with that name. Throws FailureError instead of UserError, because a
 * model reads the error.
 */
function memberOf(servers: McpServers | undefined, name: string): McpMember {
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

async function entriesOfPlugins(plugins: PluginSet | undefined): Promise<ToolEntry[]> {
  if (!plugins || plugins.tools.length === 0) return []
  const { toToolEntries } = await import('../../tool/describe.ts')
  return plugins.tools.flatMap(({ tool, origin }) => toToolEntries([tool], origin))
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
