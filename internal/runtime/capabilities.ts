// Capabilities of a session that tools use, each opened on first use and closed with the session.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { once } from '../base/once.ts'
import type { Event } from '../event/event.ts'
import type { McpServers } from '../mcp/mcp-servers.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { PermissionRule } from '../policy/rules/permission-rule.ts'
import type { ChildOwner } from '../process/child-owner.ts'
import type { CommandHost, RunCommand, SpawnProcess } from '../process/process-command.ts'
import type { QuestionRelay } from '../relay/question-relay.ts'
import type { SandboxMode } from '../sandbox/sandbox.ts'
import type { SandboxMemory } from '../sandbox/sandbox-memory.ts'
import type { Skill } from '../skill/skill.ts'
import type { Store } from '../store/store.ts'
import type {
  Capabilities,
  ResourceReader as ServerResources,
  SkillCatalog,
  UserChannel,
} from '../tool/ctx.ts'
import type { EditorFiles } from '../tool/editor-files.ts'
import type { SessionTerminals, TerminalTable } from '../tool/terminals.ts'
import type { RelayMeans, RuntimeFeatures, UserOptions } from './features.ts'
import type { BackgroundWatch } from './processes/background-watch.ts'
import type { SessionSandbox } from './processes/session-sandbox.ts'
import type { AskingOptions } from './relay/joined-answerers.ts'
import type { RelaySettings } from './relay/relay-settings.ts'
import { openWorkspaceSkills, type WorkspaceContext } from './workspace/workspace.ts'

/** Options of a session's capabilities: ways to ask the user, the sandbox, and functions of an editor. */
export interface QuestionAnswerers extends Omit<UserOptions, 'env'> {
  features: RuntimeFeatures
  /** Whether commands run in a sandbox. Default: the value of the configuration. */
  sandbox?: SandboxMode
  /** Caches of sandboxes, shared with other sessions. Default: caches of this session only. */
  sandboxMemory?: SandboxMemory
  /** Owner that child processes of several sessions share. Default: an owner for this session only. */
  childOwner?: ChildOwner
  /** Channel that asks the user instead of the file of answers and the terminal. */
  user?: UserChannel
  /** Open files of an editor, with their unsaved content. */
  editor?: EditorFiles
  /** Terminals of an editor, for commands that run without a sandbox. */
  commandHost?: CommandHost
  /**
   * Settings of the relay, which sends requests for approval to the user elsewhere. Default: those
   * of the configuration.
   */
  relay?: RelaySettings
}

export interface SessionResources {
  can: Capabilities
  /** Starts a long-lived child process, such as a server or a plugin. It ends with the session. */
  spawn: SpawnProcess
  store: () => Promise<Store>
  answers: () => Promise<readonly PermissionRule[]>
  remember: (rule: PermissionRule) => Promise<void>
  /**
   * Opens the relay, which sends questions to the user on another device. Undefined if no relay is
   * configured. Rejects with UserError if the relay cannot be used.
   */
  relay: (() => Promise<QuestionRelay>) | undefined
  /**
   * `watch` finds changed files, and exists after the first background job or terminal. `hurry` exists after
   * the first process, and gives all processes less time to end, because the user waits for the shell.
   */
  background: { watch: BackgroundWatch | undefined; hurry?: () => void }
  /** Returns the environment of calls and of the processes that they start. */
  environment(): Promise<WorkspaceContext['env']>
  /** Traces an event of a thread, of any run. Undefined if tracing is off. */
  trace: ((thread: string, event: Event) => void) | undefined
  close(): Promise<void>
}

/** Capabilities that MCP servers add. */
interface ServerCapabilities {
  resources: ServerResources
  /**
   * Starts the MCP servers that a skill declares. Returns a text for the model about these servers, which
   * follows the skill's instructions; undefined for a skill without servers.
   */
  onSkill(skill: Skill): Promise<string | undefined>
  /** All configured servers; undefined if no server is configured. */
  servers(): Promise<McpServers | undefined>
}

export function openSessionResources(
  context: WorkspaceContext,
  options: QuestionAnswerers,
  servers: ServerCapabilities,
): SessionResources {
  const { data, env, workspace, loaded } = context
  const background: SessionResources['background'] = { watch: undefined }
  const closers: (() => void | Promise<void>)[] = []
  const store = once(async () => {
    const { openStore } = await import('../store/sqlite.ts')
    const opened = await openStore(data)
    closers.push(() => opened.close())
    return opened
  })
  const traces = openTraces(context, closers)
  const processes = once(async () => {
    const { openProcesses } = await import('./processes/session-processes.ts')
    const started = { ...context, background, sandboxes: sandboxes, env: await traces.environment() }
    return openProcesses(started, options, closers)
  })
  const sandboxes: () => Promise<SessionSandbox> = once(async () => {
    const { openWorkspaceSandbox } = await import('./processes/session-sandbox.ts')
    return openWorkspaceSandbox(context, options, async () => (await processes()).runner)
  })
  const run: RunCommand = async (command) => (await processes()).run(command)
  const place = { workspace, env, run, trusted: context.trusted }
  const fetch = once(async () =>
    (await import('./session-fetch.ts')).openSessionFetch(loaded.config.web?.searxngUrl),
  )
  const relay = lazyRelay(options, context, { run, fetch, servers: servers.servers }, closers)
  const terminals = lazyTerminals(async () => (await processes()).terminals())
  return {
    store,
    spawn: async (command) => (await processes()).spawn(command),
    ...traces,
    answers: () => listStoredRules(context, store),
    remember: async (rule) => (await store()).answers.add(workspace, { ...rule }),
    relay,
    background,
    can: {
      processes: { run, terminals, sandbox: sandboxes },
      fetch: async (request) => (await fetch())(request),
      records: {
        store,
        verification: () => options.features.verification(place),
        mail: (scope) =>
          options.features.mail(scope, { data, env, store, closing: (close) => closers.push(close) }),
      },
      skills: lazySkills(context, servers.onSkill),
      resources: servers.resources,
      cron: () => options.features.cron(context, store),
      research: options.features.research(place),
      user: userOf(options, env, { relay, waitSeconds: loaded.config.approvals?.wait }),
      editor: options.editor,
    },
    async close() {
      for (const close of closers.reverse()) await close()
    },
  }
}

function lazyTerminals(open: () => Promise<TerminalTable>): SessionTerminals {
  const terminals: { open(): Promise<TerminalTable>; opened: TerminalTable | undefined } = {
    open: once(async () => {
      terminals.opened = await open()
      return terminals.opened
    }),
    opened: undefined,
  }
  return terminals
}

/** Returns a function that opens the relay on first use; undefined if no relay is configured. */
function lazyRelay(
  { relay: flag, features }: QuestionAnswerers,
  context: WorkspaceContext,
  means: Pick<RelayMeans, 'run' | 'servers'> & { fetch(): Promise<GuardedFetch> },
  closers: (() => Promise<void> | void)[],
): SessionResources['relay'] {
  const settings = flag ?? context.loaded.config.approvals?.relay
  if (!settings) return undefined
  return once(async () => {
    const opened = await features.relay(settings, context, { ...means, fetch: await means.fetch() })
    closers.push(() => opened.close())
    return opened
  })
}

async function listStoredRules(
  { data, workspace }: WorkspaceContext,
  store: () => Promise<Store>,
): Promise<PermissionRule[]> {
  if (!existsSync(join(data, 'anode.db'))) return []
  return (await store()).answers.list(workspace).map((answer) => answer.rule as unknown as PermissionRule)
}

/** Opens tracing. Loads no code if tracing is off. */
function openTraces(
  context: WorkspaceContext,
  closers: (() => void | Promise<void>)[],
): Pick<SessionResources, 'environment' | 'trace'> {
  const { env } = context
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT) return { environment: async () => env, trace: undefined }
  const opening = import('./tracing/process-tracing.ts').then((tracing) =>
    tracing.openProcessTracing(context, closers),
  )
  return {
    environment: async () => (await opening).environment(env),
    // events are handled in order, and the caller does not wait
    trace: (thread, event) => void opening.then((opened) => opened.take(thread, event)),
  }
}

function lazySkills(
  context: WorkspaceContext,
  onSkill: (skill: Skill) => Promise<string | undefined>,
): SkillCatalog {
  const skills = once(() => openWorkspaceSkills(context, onSkill))
  return {
    list: async () => (await skills()).list(),
    load: async (name, input) => (await skills()).load(name, input),
  }
}

function userOf(
  options: QuestionAnswerers,
  env: WorkspaceContext['env'],
  asking: AskingOptions,
): UserChannel | undefined {
  const { answers } = options
  const here = options.user ?? options.features.user({ ...options, env })
  if (!here && !asking.relay) return undefined
  // if a file of answers is given, the relay gets no questions
  const opened = once(async () => {
    const { joinAnswerers } = await import('./relay/joined-answerers.ts')
    return joinAnswerers(here, answers === undefined ? asking : { ...asking, relay: undefined })
  })
  return { ask: async (prompt, signal) => (await opened()).ask(prompt, signal) }
}
