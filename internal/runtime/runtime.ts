// What direct calls, runs and subagents share of a session: workspace, capabilities, tools, hooks.
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
import type { ExternalToolOptions, ExternalTools } from './tools/external-tools.ts'
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
  /** Added to those of the configuration. */
  rules?: readonly PermissionRule[]
  /** The only tools that will be looked at; absent: any. Spares asking others for native ones. */
  names?: readonly string[]
  /** What does not come with Anode is opened by `foreign` alone. */
  isForeignLater?: boolean
  /** Tools under the names of another program, and which of them; absent: the native ones. */
  toolset?: ToolsetRequest
}

/** How one session differs from another within the same runtime. */
export interface ContextRequest {
  thread: string | undefined
  profile: Profile | undefined
  /** No call follows the first, so that nothing has to be remembered for later ones. */
  single?: boolean
  log: CallLog
  ask: ApprovalHandler
  /** Called with each hook that failed. */
  warn(message: string): void
  /** Ends hooks and the wait for plugins; absent: the end of the runtime does. */
  signal?: AbortSignal
}

export interface Runtime {
  readonly context: WorkspaceContext
  readonly resources: SessionResources
  /** The same array until a server or skill has changed it. */
  entries(): readonly ToolEntry[]
  /** Of what is open. */
  readonly notes: readonly string[]
  /** Absent when none is configured. */
  readonly plugins: PluginSet | undefined
  readonly foreign: Readonly<LazyExternalTools>
  profiles(): Promise<ProfileSet>
  /**
   * A notice that the built-in model is used by default goes to `note`; without `note` the job needs a
   * language model or one that was asked for by name; a UserError says that there is no such model.
   * `isSwitchBarred`: of a list of models the first alone is asked.
   */
  model(spec: string | undefined, note?: (text: string) => void, isSwitchBarred?: boolean): Promise<Model>
  /** Absent: the native tools as they are. */
  readonly toolset: SessionToolset | undefined
  /** Puts a toolset in force for the session and all that it starts. Rejects with UserError. */
  openToolset(request: ToolsetRequest): Promise<void>
  /** The tools as a profile may use them; no profile: all of them. */
  tools(
    profile: Profile | undefined,
    only?: readonly string[],
    child?: boolean,
    /** Optional tools that this session offers. */
    extra?: readonly string[],
  ): ListedTool[]
  /** A catalog of such tools. */
  catalog(tools: readonly ListedTool[]): Catalog
  hooks(request: Pick<ContextRequest, 'thread' | 'warn' | 'signal'>): Promise<SessionHooks>
  ctx(request: ContextRequest): Promise<Ctx>
  /** Lets the agent that `ctx` belongs to start others. */
  spawn(of: ParentAgent): AgentSpawner
  /** Lets it review changes with subagents. */
  review(of: ParentAgent): ReviewRunner
  close(): Promise<void>
}

/** The tools that do not come with Anode, opened when they are needed. */
export interface LazyExternalTools {
  open(): Promise<ExternalTools>
  /** Undefined until it has been looked for. */
  opened: ExternalTools | undefined
  opening: Promise<ExternalTools> | undefined
}
