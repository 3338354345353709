// Session state that direct calls, runs and subagents share: workspace, capabilities, tools, hooks.
import type { SessionHooks } from '../hook/hook-runner.ts'
import type { Model } from '../model/model.ts'
import type { PluginSet } from '../plugin/plugins.ts'
import type { Mode } from '../policy/level.ts'
import type { PermissionRule } from '../policy/rules/permission-rule.ts'
import type { Profile } from '../profile/profile.ts'
import type { ProfileSet } from '../profile/profile-set.ts'
import type { AgentSpawner } from '../tool/agents.ts'
import type { Catalog, ListedTool, ToolEntry } from '../tool/catalog.ts'
import type { ApprovalHandler, CallLog, Ctx } from '../tool/ctx.ts'
import type { ReviewRunner } from '../tool/review.ts'
import type { ParentAgent } from './agent/parent-agent.ts'
import type { QuestionAnswerers, SessionResources } from './capabilities.ts'
import type { ExternalTools } from './tools/external-tools.ts'
import type { ExternalToolOptions } from './tools/started-servers.ts'
import type { SessionToolset, ToolsetRequest } from './toolset/toolset-session.ts'
import type { WorkspaceContext } from './workspace/workspace.ts'

export interface RuntimeOptions
  extends QuestionAnswerers,
    Partial<Pick<ExternalToolOptions, 'servers' | 'showStart' | 'isWorkspaceLater'>> {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  mode: Mode
  addDirs: readonly string[]
  /** Rules that are added to the configured ones. */
  rules?: readonly PermissionRule[]
  /**
   * Names of the only tools that the caller will use. Default: all tools. If they are all native tools that
   * start no agents, tools of MCP servers, plugins and custom tools are not loaded.
   */
  names?: readonly string[]
  /** True if tools of servers, plugins and programs load only when `foreign.open` is called. */
  isForeignLater?: boolean
  /**
   * Toolset with the tool names of another program, and a selection of its tools. Default: the native tools.
   */
  toolset?: ToolsetRequest
}

/** The settings in which sessions of one runtime differ. */
export interface ContextRequest {
  thread: string | undefined
  profile: Profile | undefined
  /** True if the context is for one call, so no state has to be kept for later calls. */
  single?: boolean
  log: CallLog
  ask: ApprovalHandler
  /** Called with a message for each hook that failed, and with warnings about hooks files. */
  warn(message: string): void
  /** Ends hooks and the wait for plugins. Default: the signal of the runtime. */
  signal?: AbortSignal
}

export interface Runtime {
  readonly context: WorkspaceContext
  readonly resources: SessionResources
  /**
   * Returns all tools of the session. The array stays the same until tools are added, for example by a server
   * or a skill.
   */
  entries(): readonly ToolEntry[]
  /**
   * Notices for the user: about cleaned up runs, the configuration, and external tools, such as servers that
   * are not in use.
   */
  readonly notes: readonly string[]
  /** The plugins of the workspace; undefined if no plugin is configured. */
  readonly plugins: PluginSet | undefined
  readonly foreign: Readonly<LazyExternalTools>
  profiles(): Promise<ProfileSet>
  /**
   * Returns the model that `spec` names, or the default model. `note` gets a notice if that is the built-in
   * model because no model is configured. Without `note`, that case throws UserError. With `isSwitchBarred`,
   * only the first of a list of models is used.
   */
  model(spec: string | undefined, note?: (text: string) => void, isSwitchBarred?: boolean): Promise<Model>
  /** The toolset of the session; undefined for the native tools without a toolset. */
  readonly toolset: SessionToolset | undefined
  /**
   * Activates a toolset for the session and for everything that it starts. Rejects with UserError for an
   * unknown toolset or tool, and if both `only` and `extra` are set.
   */
  openToolset(request: ToolsetRequest): Promise<void>
  /**
   * Returns the tools. Tools that the profile or one of the other arguments excludes are hidden, which means
   * listed with a reason but not offered.
   */
  tools(
    profile: Profile | undefined,
    only?: readonly string[],
    child?: boolean,
    /** Names of optional tools that this session offers; without `extra`, they are hidden. */
    extra?: readonly string[],
  ): ListedTool[]
  /** Creates a catalog of the tools. */
  catalog(tools: readonly ListedTool[]): Catalog
  hooks(request: Pick<ContextRequest, 'thread' | 'warn' | 'signal'>): Promise<SessionHooks>
  ctx(request: ContextRequest): Promise<Ctx>
  /** Returns the function by which the agent `of` starts subagents. */
  spawn(of: ParentAgent): AgentSpawner
  /** Returns a runner that reviews changes with subagents. */
  review(of: ParentAgent): ReviewRunner
  close(): Promise<void>
}

/** Tools of servers, plugins and the user's programs, opened when they are needed. */
export interface LazyExternalTools {
  open(): Promise<ExternalTools>
  /** The opened tools; undefined until they have been opened. */
  opened: ExternalTools | undefined
  opening: Promise<ExternalTools> | undefined
}
