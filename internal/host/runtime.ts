// The runtime that direct calls, runs and child agents share: workspace, configuration, capabilities, tools,
// hooks.
import type { SessionHooks } from '../hook/hook-runner.ts'
import type { Model } from '../model/model.ts'
import type { PluginSet } from '../plugin/plugins.ts'
import type { Mode } from '../policy/level.ts'
import type { PermissionRule } from '../policy/rules/permission-rule.ts'
import type { RunCommand } from '../process/process-command.ts'
import type { Profile } from '../profile/profile.ts'
import type { ProfileSet } from '../profile/profile-set.ts'
import type { ListedTool, ToolEntry } from '../tool/catalog.ts'
import type { AgentSpawner, ApprovalHandler, CallLog, Ctx } from '../tool/ctx.ts'
import { openSessionResources, type QuestionAnswerers, type SessionResources } from './capabilities.ts'
import { cleanUpDeadRuns } from './crash-recovery.ts'
import { loadSessionHooks } from './extensions/hooks.ts'
import { openWorkspacePlugins } from './extensions/plugins.ts'
import type { ExternalTools } from './external-tools.ts'
import type { ParentAgent } from './parent-agent.ts'
import { buildPolicy } from './session-policy.ts'
import {
  areNativeTools,
  loadNativeEntries,
  mayNeedCapability,
  memoizeByEntries,
  restrictTools,
  visibleTools,
} from './tool-registry.ts'
import { toolSettings } from './tool-settings.ts'
import { loadWorkspaceProfiles, readWorkspaceContext, type WorkspaceContext } from './workspace.ts'

export interface RuntimeOptions extends QuestionAnswerers {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  mode: Mode
  addDirs: readonly string[]
  /** Added to those of the configuration. */
  rules?: readonly PermissionRule[]
  /**
   * The only tools that will be called or looked at; absent: any. Lets native ones be had without asking for
   * others.
   */
  names?: readonly string[]
}

/** How one session differs from another within the same runtime. */
interface ContextRequest {
  thread: string | undefined
  profile: Profile | undefined
  /** No call follows the first, so that nothing has to be remembered for later ones. */
  single?: boolean
  log: CallLog
  ask: ApprovalHandler
  /** Called with each hook that failed. */
  warn(message: string): void
}

export interface Runtime {
  readonly context: WorkspaceContext
  readonly resources: SessionResources
  /** The same array until a server or skill has changed it. */
  entries(): readonly ToolEntry[]
  readonly notes: readonly string[]
  /** Absent when none is configured. */
  readonly plugins: PluginSet | undefined
  /** Servers and whatever else does not come with Anode; looked for at the latest now. */
  foreign(): Promise<ExternalTools>
  profiles(): Promise<ProfileSet>
  /**
   * Notice of the built-in model that nobody asked for is passed to `note`; without `note` the job needs a
   * language model or one that was asked for by name, and there being none is a UserError.
   */
  /** `isSwitchBarred`: of a list of models the first alone is asked. */
  model(spec: string | undefined, note?: (text: string) => void, isSwitchBarred?: boolean): Promise<Model>
  /** The registry as a profile may use it; no profile: all of it. */
  tools(profile: Profile | undefined, only?: readonly string[], child?: boolean): ListedTool[]
  /** The hooks of the first session that asks: a runtime serves one session. */
  hooks(request: Pick<ContextRequest, 'thread' | 'warn'>): Promise<SessionHooks>
  ctx(request: ContextRequest): Promise<Ctx>
  /** Lets the agent that `ctx` belongs to start others. */
  spawn(of: ParentAgent): AgentSpawner
  close(): Promise<void>
}

/** Throws UserError when the configuration is broken. Close it when done. */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const context = await readWorkspaceContext(options.cwd, options.env)
  const recovered = await cleanUpDeadRuns(context.data)
  let foreign: ExternalTools | undefined
  let opening: Promise<ExternalTools> | undefined
  const others = (): Promise<ExternalTools> => {
    opening ??= import('./external-tools.ts').then(async ({ openExternalTools }) => {
      const { run, user } = resources.can
      const { signal } = options
      foreign = await openExternalTools(context, {
        run: run as RunCommand,
        spawn: resources.spawn,
        user,
        plugins,
        signal,
      })
      return foreign
    })
    return opening
  }
  const resources = openSessionResources(context, options, {
    // a direct call of the tool `skill` has no use for servers
    onSkill: async (skill) => foreign?.addSkill(skill),
    resources: { read: async (mention, signal) => (await others()).read(mention, signal) },
  })
  // these may have a say in every call
  const plugins = await openWorkspacePlugins(context, resources.spawn, options.signal)
  const natives = await loadNativeEntries()
  const { config } = context.loaded
  // whoever calls one tool has no running server that an edit could be announced to
  const servers = mayNeedCapability(options.names, natives)
    ? (await import('./extensions/language-servers.ts')).openLanguageServers(
        context,
        options.addDirs,
        resources.spawn,
      )
    : undefined
  const can = servers ? { ...resources.can, lsp: servers.can } : resources.can
  if (!options.names || !areNativeTools(options.names, natives)) await others()
  const none: readonly ToolEntry[] = []
  const added = () => foreign?.entries() ?? none
  const entries = memoizeByEntries(added, () => [...natives, ...added()])
  let profiles: Promise<ProfileSet> | undefined
  let bound: Promise<SessionHooks> | undefined
  const runtime: Runtime = {
    context,
    resources,
    entries,
    notes: [...recovered, ...context.loaded.notes, ...notesOf(foreign, entries(), options.names)],
    profiles() {
      profiles ??= loadWorkspaceProfiles(context)
      return profiles
    },
    async model(spec, note, isSwitchBarred) {
      const { noModel, pickModel } = await import('../model/model-choice.ts')
      const { env, cwd } = options
      const picked = await pickModel(spec, {
        env,
        cwd,
        config: { model: config.model, providers: config.providers },
        isSwitchBarred,
      })
      if (picked.notice !== undefined && !note) throw noModel()
      if (picked.notice !== undefined) note?.(picked.notice)
      return picked.model
    },
    tools(profile, only, child = false) {
      const disabled = config.tools?.disabled ?? []
      const web = config.web?.enabled ?? true
      return restrictTools(
        visibleTools(entries(), {
          profile,
          disabled,
          web,
          has: () => servers?.can.usable() ?? 'turned off by lsp.enabled',
        }),
        only,
        child,
      )
    },
    hooks({ thread, warn }) {
      const { workspace: cwd } = context
      const { signal } = options
      const host = { run: resources.can.run as RunCommand, cwd, thread, signal, warn }
      bound ??= loadSessionHooks(context, host)
      return bound
    },
    async ctx({ thread, profile, single, log, ask, warn }) {
      const { workspace: cwd } = context
      const { signal } = options
      const hooks = await runtime.hooks({ thread, warn })
      return {
        cwd,
        signal,
        call: '',
        thread,
        policy: buildPolicy(options, context, profile),
        env: options.env,
        settings: toolSettings(config),
        seen: single ? undefined : new Map(),
        log,
        ask,
        answers: resources.answers,
        remember: resources.remember,
        middleware: [plugins?.middleware(thread, signal), hooks.middleware].filter(
          (one) => one !== undefined,
        ),
        can,
      }
    },
    spawn: (of) => async (request, signal) => {
      const { createSpawner } = await import('./child-agent.ts')
      return createSpawner({ ...of, runtime })(request, signal)
    },
    foreign: others,
    plugins,
    async close() {
      await servers?.close()
      await plugins?.close()
      await opening?.then(
        (opened) => opened.close(),
        () => undefined,
      )
      await resources.close()
    },
  }
  return runtime
}

/** What is wrong with servers and programs; for calls that all of it leaves alone it is not worth a word. */
function notesOf(
  foreign: ExternalTools | undefined,
  entries: readonly ToolEntry[],
  names: readonly string[] | undefined,
) {
  const isThere = (name: string) => entries.some((one) => one.name === name && one.unusable === undefined)
  return foreign && !names?.every(isThere) ? foreign.notes() : []
}
