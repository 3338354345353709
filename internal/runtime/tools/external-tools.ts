// External tools: the user's programs and modules, plugins and MCP servers. Loaded only when a
// call may need them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configDir, findBuiltin } from '../../base/dirs.ts'
import { readResource } from '../../mcp/mcp-resource.ts'
import type { McpServers, OfferedTool } from '../../mcp/mcp-servers.ts'
import type { PluginSet } from '../../plugin/plugins.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { Skill } from '../../skill/skill.ts'
import type { ToolEntry } from '../../tool/catalog.ts'
import type { ResourceContent, ResourceMention } from '../../tool/ctx.ts'
import type { ToolTier } from '../../toolbox/custom-tools.ts'
import { findToolModules } from '../../trust/tool-modules.ts'
import { allowsSkillServers, readConfiguredServers } from '../extensions/configured-servers.ts'
import type { StartingServers } from '../extensions/starting-servers.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'
import type { CustomEntries } from './custom-tools.ts'
import { addSkillServers, type ExternalToolOptions, memberOf, StartedServers } from './started-servers.ts'

const loadDescribed = async () => (await import('./described-tools.ts')).describedTools

export interface ExternalTools {
  /**
   * Returns the tools. The array stays the same until tools are added, or the list of a server's tools
   * is requested anew.
   */
  entries(): readonly ToolEntry[]
  /**
   * Returns notices about sources of tools, such as why one is not in use. Returns no notices if all of
   * `names` are in `all` and can be used. `all`: the tools among which `names` are looked up. Default: none.
   */
  notes(names?: readonly string[], all?: readonly ToolEntry[]): string[]
  /** The MCP servers; undefined as long as the session has no server. */
  readonly servers: McpServers | undefined
  /** Servers that start in the background; undefined as long as the session has no server. */
  readonly starting: StartingServers | undefined
  /** Returns the content of a resource. Rejects with FailureError, also for an unknown server. */
  read(mention: ResourceMention, signal: AbortSignal): Promise<ResourceContent>
  /**
   * Adds the MCP servers of a skill that is loading. Returns a text for the model about these servers;
   * undefined for a skill without servers.
   */
  addSkill(skill: Skill): Promise<string | undefined>
  /** Adds the custom tools in the workspace's directory `tools`. Only some toolsets use that directory. */
  addFolderTools(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the external tools. Starts the servers whose tools are not known from an earlier session. Waits until
 * each is ready or reaches its start timeout, except servers that start in the background.
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
    findCustomEntries(context, means.run, false),
    findServers(context),
  ])
  let custom = ownTools
  let started: StartedServers | undefined
  const servers = () => {
    started ??= new StartedServers(context, means)
    return started
  }
  const entriesOf = (tools: readonly OfferedTool[]) => tools.map((tool) => servers().entryOf(tool))
  const givenServers = context.loaded.config.mcp?.enabled === false ? [] : means.servers
  if (configured.servers.length + givenServers.length > 0)
    await servers().add([...configured.servers, ...givenServers], means.isWorkspaceLater)
  let lastOffered: readonly OfferedTool[] | undefined
  const plugins = await entriesOfPlugins(means.plugins)
  const still = () => [...toolbox.entries, ...custom.entries, ...plugins]
  let entries: readonly ToolEntry[] = still()
  return {
    get servers() {
      return started?.running
    },
    get starting() {
      return started?.starting
    },
    entries() {
      const tools = started?.running?.tools()
      if (tools === lastOffered) return entries
      lastOffered = tools
      entries = [...still(), ...entriesOf(tools ?? [])]
      return entries
    },
    notes(names, all = []) {
      if (names?.every((name) => all.some((one) => one.name === name && one.unusable === undefined)))
        return []
      const brought = [...toolbox.notes, ...custom.notes, ...(means.plugins?.notes ?? [])]
      return [...brought, ...configured.notes, ...(started?.running?.notes() ?? [])]
    },
    async read({ server, uri }, signal) {
      return readResource(memberOf(started?.running, server), uri, signal)
    },
    async addFolderTools() {
      custom = await findCustomEntries(context, means.run, true)
      entries = [...still(), ...entriesOf(started?.running?.tools() ?? [])]
    },
    addSkill: (skill) => addSkillServers(servers(), skill, allowsSkillServers(context)),
    close: async () => started?.close(),
  }
}

/**
 * Loads the programs in toolboxes, which are directories of programs that act as tools. If neither the
 * configuration nor the environment names a directory, no code is loaded.
 */
async function loadConfiguredToolboxes(context: WorkspaceContext, run: RunCommand) {
  const { env, loaded } = context
  if (!env.ANODE_TOOLBOX && !loaded.config.tools?.toolboxDirs?.length) return { entries: [], notes: [] }
  return (await loadDescribed()).loadToolboxes(context, run)
}

/** Reads the settings of MCP servers. The code for them loads only if a file configures a server. */
async function findServers(context: WorkspaceContext): ReturnType<typeof readConfiguredServers> {
  const { env, workspace, loaded } = context
  const files = [join(configDir(env), 'mcp.json'), join(workspace, '.mcp.json')]
  const isConfigured = loaded.config.mcpServers !== undefined || files.some((path) => existsSync(path))
  return isConfigured ? readConfiguredServers(context) : { servers: [], notes: [] }
}

/**
 * Loads the custom tools, and no code if none of their directories exists. `withFolder`: modules in the
 * workspace's directory `tools` count too.
 */
async function findCustomEntries(
  context: WorkspaceContext,
  run: RunCommand,
  withFolder: boolean,
): Promise<CustomEntries> {
  const tiers = customTiers(context, withFolder).filter(
    ({ modules, programs }) => existsSync(modules) || (programs !== undefined && existsSync(programs)),
  )
  if (tiers.length === 0) return { entries: [], notes: [] }
  return (await loadDescribed()).loadCustomEntries(context, run, tiers)
}

/**
 * Returns the sources of custom tools, with those of the workspace only if it is trusted. Of two tools with
 * the same name, the tool of the later source counts.
 */
function customTiers(
  { env, workspace, trusted }: Pick<WorkspaceContext, 'env' | 'workspace' | 'trusted'>,
  withFolder: boolean,
): ToolTier[] {
  const user = configDir(env)
  const baseTiers: ToolTier[] = [
    { modules: findBuiltin('tools').dir, programs: findBuiltin('bin').dir, isWorkspaces: false },
    { modules: join(user, 'tools'), programs: join(user, 'bin'), isWorkspaces: false },
  ]
  if (!trusted) return baseTiers
  const folder: ToolTier = {
    modules: join(workspace, 'tools'),
    names: withFolder ? findToolModules(workspace) : [],
    isWorkspaces: true,
  }
  return [
    ...baseTiers,
    { modules: join(workspace, '.anode', 'tools'), isWorkspaces: true },
    ...(withFolder ? [folder] : []),
  ]
}

async function entriesOfPlugins(plugins: PluginSet | undefined): Promise<ToolEntry[]> {
  if (!plugins || plugins.tools.length === 0) return []
  return (await loadDescribed()).toPluginEntries(plugins)
}
