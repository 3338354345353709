// Assembly of a session's runtime: workspace, configuration, capabilities, tools and hooks.
import type { AnodeConfig } from '../config/schema.ts'
import type { HookBinder, HookHost, SessionHooks } from '../hook/hook-runner.ts'
import type { PluginSet } from '../plugin/plugins.ts'
import type { RunCommand } from '../process/process-command.ts'
import type { Profile } from '../profile/profile.ts'
import type { ProfileSet } from '../profile/profile-set.ts'
import { createCatalog, type ListedTool, type ToolEntry } from '../tool/catalog.ts'
import type { Capabilities, Ctx, ToolSettings } from '../tool/ctx.ts'
import { createKnownUrls, type KnownUrls } from '../tool/known-urls.ts'
import type { ToolsetPolicy } from '../toolset/toolset.ts'
import { openSessionResources, type SessionResources } from './capabilities.ts'
import { cleanUpDeadRuns } from './crash-recovery.ts'
import type { openLanguageServers } from './extensions/language-servers.ts'
import type { ContextRequest, LazyExternalTools, Runtime, RuntimeOptions } from './runtime.ts'
import { buildPolicy } from './session-policy.ts'
import {
  areNativeTools,
  loadNativeEntries,
  mayNeedCapability,
  memoizeByEntries,
  restrictTools,
  visibleTools,
} from './tools/tool-registry.ts'
import {
  checkRuleNames,
  nameExplainer,
  openRequestedToolset,
  openWholeToolset,
} from './toolset/requested-toolset.ts'
import type { SessionToolset } from './toolset/toolset-session.ts'
import {
  listHookFiles,
  loadWorkspaceProfiles,
  readWorkspaceContext,
  type WorkspaceContext,
} from './workspace/workspace.ts'

const none: readonly ToolEntry[] = []

/**
 * Opens the runtime; the caller closes it. Throws UserError if, for example, the configuration is invalid or
 * the toolset unknown.
 */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const context = await readWorkspaceContext(options.cwd, options.env)
  const recovered = await cleanUpDeadRuns(context.data)
  let toolset: SessionToolset | undefined
  const isNumbered = () => toolset?.policy.questions === 'numbered'
  const parts = await openParts({ ...options, isNumbered }, context)
  const { natives, foreign } = parts
  const first = options.toolset?.name ?? context.loaded.config.toolset
  toolset = await openRequestedToolset({ name: first }, () => natives)
  const called = toolset?.nativesOf(options.names ?? []) ?? options.names
  if (!options.isForeignLater && !(options.names && called && areNativeTools(called, natives)))
    await foreign.open()
  const brought = options.toolset?.brought ?? none
  const added = () => foreign.opened?.entries() ?? none
  const entries = memoizeByEntries(added, () => [...natives, ...brought, ...added()])
  let profiles: Promise<ProfileSet> | undefined
  let binder: Promise<HookBinder> | undefined
  const runtime: Runtime = {
    context,
    resources: parts.resources,
    entries,
    plugins: parts.plugins,
    foreign,
    get toolset() {
      return toolset
    },
    async openToolset(request) {
      toolset = await openWholeToolset(request, foreign.opened, entries)
    },
    get notes() {
      const added = foreign.opened?.notes(options.names, entries()) ?? []
      return [...recovered, ...context.loaded.notes, ...added]
    },
    profiles() {
      profiles ??= loadWorkspaceProfiles(context)
      return profiles
    },
    model: pickWith(options, context),
    tools: (profile, only, child = false, extra = []) =>
      toolsFor({ profile, only, child, extra }, context, parts, entries(), toolset),
    catalog: (tools) => createCatalog(tools, toolset?.catalog, nameExplainer(foreign)),
    async hooks({ thread, warn, signal = options.signal }) {
      const run = parts.resources.can.processes.run as RunCommand
      binder ??= loadHooks(context, warn)
      return (await binder)({ run, cwd: context.workspace, thread, signal, warn })
    },
    async ctx(request) {
      const session = { ...options, toolset: toolset?.policy }
      return makeContext(session, context, parts, request, await runtime.hooks(request))
    },
    spawn: (of) => async (request, signal) => {
      const { createSpawner } = await import('./agent/subagent.ts')
      return createSpawner({ ...of, runtime })(request, signal)
    },
    review: (of) => options.features.review({ ...of, runtime }),
    close: () => closeParts(parts),
  }
  return runtime
}

function pickWith(options: RuntimeOptions, { loaded: { config } }: WorkspaceContext): Runtime['model'] {
  return async (spec, note, isSwitchBarred) => {
    const { pickNotedModel } = await import('../model/model-choice.ts')
    // a user who has to approve calls may be away for long, so the provider keeps the prompt in its cache
    // for an hour
    const isUserExpected = options.terminal !== undefined && options.mode === 'ask'
    return pickNotedModel(spec, { ...options, config, isSwitchBarred, isUserExpected }, note)
  }
}

interface ToolAudience {
  profile: Profile | undefined
  only: readonly string[] | undefined
  child: boolean
  extra: readonly string[]
}

function toolsFor(
  { profile, only, child, extra }: ToolAudience,
  { loaded }: WorkspaceContext,
  { servers }: RuntimeParts,
  entries: readonly ToolEntry[],
  toolset: SessionToolset | undefined,
): ListedTool[] {
  const { tools, web } = loaded.config
  const restrictions = {
    profile,
    disabled: tools?.disabled ?? [],
    web: web?.enabled ?? true,
    extra,
    // a direct call has no profile, so it may use any installed language server
    has: () => (profile ? servers?.fits() : servers?.can.usable()) ?? 'turned off by lsp.enabled',
  }
  return toolset
    ? toolset.list({ restrictions, only, child })
    : restrictTools(visibleTools(entries, restrictions), only, child)
}

/** Open parts of a runtime. */
interface RuntimeParts {
  resources: SessionResources
  /** Capabilities of the resources and of language servers. */
  can: Capabilities
  /** Plugins, which can take part in the decision on every call. */
  plugins: PluginSet | undefined
  natives: readonly ToolEntry[]
  servers: ReturnType<typeof openLanguageServers>
  urls: KnownUrls
  foreign: LazyExternalTools
}

async function openParts(options: RuntimeOptions, context: WorkspaceContext): Promise<RuntimeParts> {
  const { signal } = options
  const natives = await loadNativeEntries()
  await checkRuleNames(context.loaded.config.permissions ?? [], natives, options.toolset?.brought)
  const find = async () => {
    const { openExternalTools } = await import('./tools/external-tools.ts')
    const { can, spawn } = resources
    const { servers = [] } = options
    const means = {
      ...options,
      run: can.processes.run as RunCommand,
      spawn,
      user: can.user,
      plugins,
      servers,
    }
    foreign.opened = await openExternalTools(context, means)
    return foreign.opened
  }
  const foreign: LazyExternalTools = {
    opened: undefined,
    opening: undefined,
    open() {
      foreign.opening ??= find()
      return foreign.opening
    },
  }
  const resources = openSessionResources(context, options, {
    // a direct call of the tool `skill` cannot use servers
    onSkill: async (skill) => foreign.opened?.addSkill(skill),
    resources: { read: async (mention, stop) => (await foreign.open()).read(mention, stop) },
    servers: async () => (await foreign.open()).servers,
  })
  const plugins = context.loaded.config.plugins?.paths?.length
    ? await (await import('./extensions/plugins.ts')).openWorkspacePlugins(
        context,
        resources.spawn,
        signal,
        options.showStart,
      )
    : undefined
  // a direct call of one tool runs no server that would need to know about an edit
  const servers = mayNeedCapability(options.names, natives)
    ? (await import('./extensions/language-servers.ts')).openLanguageServers(
        context,
        options.addDirs,
        resources.spawn,
      )
    : undefined
  const can = servers ? { ...resources.can, lsp: servers.can } : resources.can
  return { resources, can, plugins, natives, servers, urls: createKnownUrls(), foreign }
}

/** Loads the hooks of the user and of a trusted workspace, and no code if none of their files exists. */
async function loadHooks(context: WorkspaceContext, warn: HookHost['warn']): Promise<HookBinder> {
  const paths = listHookFiles(context)
  if (paths.length === 0) return () => ({ fire: async () => undefined, middleware: undefined })
  const { loadHookBinder } = await import('./extensions/hook-binding.ts')
  return loadHookBinder(paths, context.workspace, warn)
}

async function closeParts({ servers, plugins, foreign, resources }: RuntimeParts): Promise<void> {
  await servers?.close()
  await plugins?.close()
  await foreign.opening?.then(
    (openedTools) => openedTools.close(),
    () => undefined,
  )
  await resources.close()
}

async function makeContext(
  options: Omit<RuntimeOptions, 'toolset'> & { toolset: ToolsetPolicy | undefined },
  context: WorkspaceContext,
  { resources, plugins, can, urls }: RuntimeParts,
  { thread, profile, single, log, ask, signal: stop }: ContextRequest,
  hooks: SessionHooks,
): Promise<Ctx> {
  const { signal } = options
  const env = await resources.environment()
  return {
    cwd: context.workspace,
    signal,
    call: { id: '' },
    thread,
    policy: buildPolicy(options, context, profile),
    env,
    settings: toolSettings(context.loaded.config),
    gate: {
      urls,
      ask,
      answers: resources.answers,
      remember: resources.remember,
      middleware: [plugins?.middleware(thread, stop ?? signal), hooks.middleware].filter(
        (one) => one !== undefined,
      ),
    },
    seen: single ? undefined : new Map(),
    log,
    can,
  }
}

/** Returns the sections of the configuration that tools read, with their defaults. */
function toolSettings(config: AnodeConfig): ToolSettings {
  return {
    web: { ...config.web, enabled: config.web?.enabled ?? true },
    shell: { env: config.shell?.env ?? [] },
    lookAt: { targets: config.lookAt?.targets ?? {} },
  }
}
