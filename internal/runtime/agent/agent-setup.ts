// Setup of an agent session on a thread: profile, model, tools, policy and prompt.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  createNestedInstructions,
  nestedInstructionNotes,
  readInstructions,
  readUserInstructions,
} from '../../agent/instructions.ts'
import { type AgentSession, type AgentSessionOptions, openAgentSession } from '../../agent/session.ts'
import { type AgentEnvironment, buildSystemPrompt, buildToolSpecs } from '../../agent/system-prompt.ts'
import { describeToolNames, listToolsInPrompt } from '../../agent/toolset-prompt.ts'
import { configDir } from '../../base/dirs.ts'
import { efforts } from '../../model/effort.ts'
import type { Effort, ModelMessage, ToolSpec } from '../../model/model.ts'
import { tokensOf } from '../../model/tokens.ts'
import type { Profile } from '../../profile/profile.ts'
import type { ProfileSet } from '../../profile/profile-set.ts'
import type { Catalog, ListedTool } from '../../tool/catalog.ts'
import { resultRoomOf } from '../../tool/clip/result-fit.ts'
import type { Capabilities, Ctx, ToolSearch } from '../../tool/ctx.ts'
import type { SessionJobs } from '../../tool/jobs.ts'
import { todoKey } from '../../tool-support/todo-list.ts'
import { chooseEngineName } from '../../web/search/engine-name.ts'
import type { StartingServers } from '../extensions/starting-servers.ts'
import { describeWork } from '../run/work-facts.ts'
import { hideInactiveExperiments, hideUselessTools } from '../tools/offered-tools.ts'
import {
  createLoadedTools,
  type LoadedTools,
  openToolLoading,
  searchTools,
  type ToolLoading,
} from '../tools/tool-loading.ts'
import { memoizeByEntries } from '../tools/tool-registry.ts'
import type { SessionToolset } from '../toolset/toolset-session.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'
import { createSessionJobs, jobNotes } from './session-jobs.ts'
import { type SessionPlanning, withPlanning } from './session-planning.ts'

interface AgentParts
  extends Pick<
    AgentSessionOptions,
    | 'model'
    | 'ctx'
    | 'record'
    | 'messages'
    | 'thread'
    | 'cacheKey'
    | 'budget'
    | 'maxTurns'
    | 'meta'
    | 'inbox'
    | 'permit'
    | 'gate'
    | 'openReply'
  > {
  profile: Profile
  /**
   * Returns all tools as this agent sees them. The entry of a hidden tool contains the reason. The array
   * stays the same until a tool changes.
   */
  tools: () => readonly ListedTool[]
  /** The runtime of the session, with its toolset and the catalogs built with it. */
  runtime: {
    context: WorkspaceContext
    toolset: SessionToolset | undefined
    catalog(tools: readonly ListedTool[]): Catalog
    profiles?(): Promise<ProfileSet>
    foreign?: { opened: { starting: StartingServers | undefined } | undefined }
  }
  /** Tools of MCP servers that the thread has already offered to the model. Default: no tools. */
  loadedTools?: LoadedTools
  effort?: Effort
  /** Resources of MCP servers that `read` can open, each as a mention (`@server:uri`) with its name. */
  resources?: readonly string[]
  /** Planning mode of the session; undefined for an agent that cannot plan. */
  planning?: SessionPlanning
  /** Background commands that continue after this agent ends. Default: the agent has its own jobs. */
  jobs?: SessionJobs
  /** Resolves when the user has sent a message to this run. Undefined for an agent that takes no messages. */
  interruption?: NonNullable<Capabilities['interruption']>
  /**
   * Reports to the user which instructions were skipped and which servers started or failed. Undefined if the
   * session has already reported them.
   */
  note?: (text: string) => void
  now: Date
}

export async function setUpSession(parts: AgentParts): Promise<AgentSession> {
  const { profile } = parts
  const offersJobs = parts.tools().some(({ name, hidden }) => name === 'jobs' && hidden === undefined)
  const { run } = parts.ctx.can.processes
  const jobs = offersJobs && run ? (parts.jobs ?? createSessionJobs(run, parts.ctx.log)) : undefined
  const offered = listUsableTools(parts)
  const loading = loadToolsOnDemand(parts, offered)
  await loading.prepare()
  const news: ModelMessage[] = tellStarts(parts, loading)
  const { tools, toolSearch } = loading
  const ctx = ctxOfAgent(parts, jobs, toolSearch)
  const { policy, cwd, signal } = ctx
  const source = { cwd, policy, run: ctx.can.processes.run, signal }
  const instructions = await readInstructions(source)
  const userInstructions = readUserInstructions(configDir(parts.runtime.context.env))
  for (const text of [...userInstructions.notes, ...instructions.notes, ...loading.notes()])
    parts.note?.(text)
  const nested = createNestedInstructions(source)
  const listShownTools = () => tools().filter((entry) => entry.hidden === undefined)
  const profiles = listShownTools().some(({ name }) => name === 'task') ? await listTaskProfiles(parts) : []
  const specs = memoizeByEntries(tools, () => describeTools(ctx, listShownTools(), profiles))
  const all = memoizeByEntries(tools, () => parts.runtime.catalog(tools()))
  // the prompt lists the skills only for an agent that can load a skill
  const loads = listShownTools().some((entry) => entry.name === 'skill')
  const system = buildSystemPrompt({
    profile: profile.prompt,
    tools: [...(await toolSections(parts, listShownTools())), ...loading.sections()],
    userInstructions: userInstructions.text,
    instructions: instructions.text,
    resources: parts.resources ?? [],
    skills: loads ? ((await ctx.can.skills?.list()) ?? []) : [],
    facts: readPlace(ctx, parts.now),
    environment: await readEnvironment(ctx, listShownTools()),
  })
  return openAgentSession({
    ...parts,
    ctx,
    inbox: async (isIdle) => {
      await loading.prepare()
      const reached = await nested.read(ctx.seen?.keys() ?? [])
      for (const text of reached.notes) parts.note?.(text)
      // an idle agent gets no note about a server that became ready, because a note keeps the run alive
      if (!isIdle) news.push(...tellStarts(parts, loading))
      return [
        ...(isIdle ? [] : news.splice(0)),
        ...nestedInstructionNotes(reached.text),
        ...(jobs ? jobNotes(jobs) : []),
        ...(await parts.inbox(isIdle)),
      ]
    },
    facts: () => readFacts(ctx, parts.record),
    tools: specs,
    catalog: all,
    system,
    instructionTokens: tokensOf(`${userInstructions.text}${instructions.text}`),
    effort: parts.effort ?? efforts[profile.effort] ?? 'medium',
  })
}

/**
 * Returns the context for the agent's calls, with the capabilities that only agents have, such as planning.
 */
function ctxOfAgent(
  { ctx: outer, model, interruption, planning }: AgentParts,
  jobs: SessionJobs | undefined,
  toolSearch: Capabilities['toolSearch'],
): Ctx {
  const { processes } = outer.can
  const can: Capabilities = {
    ...outer.can,
    toolSearch,
    processes: { ...processes, jobs: jobs ?? processes.jobs },
    interruption: interruption ?? outer.can.interruption,
  }
  const agent = { ...outer.agent, model: model.id, resultRoom: resultRoomOf(model.window) }
  const ctx: Ctx = { ...outer, agent, can }
  return planning ? withPlanning(ctx, planning) : ctx
}

const readPlace = ({ policy: { roots } }: Ctx, now: Date) => ({
  workspace: roots.workspace,
  platform: process.platform,
  date: now.toISOString().slice(0, 10),
  git: existsSync(join(roots.workspace, '.git')),
})

/** Returns a function that lists the tools and marks those that cannot work in this session as hidden. */
function listUsableTools({ tools, ctx: { can } }: AgentParts): () => readonly ListedTool[] {
  const useful = hideUselessTools(tools, can.user !== undefined)
  return hideInactiveExperiments(useful, () => can.research?.active() ?? true)
}

/**
 * Returns the names of the profiles that `task` may name. Profiles that serve a study report, an experiment
 * or the building of a plan are excluded.
 */
async function listTaskProfiles({ runtime }: AgentParts): Promise<string[]> {
  const all = (await runtime.profiles?.())?.all ?? []
  const isInternal = (works: readonly string[]) =>
    ['study_report', 'run_experiment', 'build_plan'].some((work) => works.includes(work))
  return all.filter(({ serves }) => !isInternal(serves)).map(({ name }) => name)
}

/** Describes the tools for the model. The parameter `profile` of `task` lists the names in `profiles`. */
function describeTools(
  { settings, env }: Ctx,
  shownTools: readonly ListedTool[],
  profiles: readonly string[],
): ToolSpec[] {
  const specs = buildToolSpecs(
    shownTools,
    () => chooseEngineName(settings.web, env),
    Object.keys(settings.lookAt.targets).length > 0,
  )
  return specs.map((spec) => (spec.name === 'task' ? withProfiles(spec, profiles) : spec))
}

function withProfiles(spec: ToolSpec, names: readonly string[]): ToolSpec {
  const properties = spec.schema.properties as Record<string, object> | undefined
  if (!properties?.profile || names.length === 0) return spec
  const profile = { ...properties.profile, enum: names }
  return { ...spec, schema: { ...spec.schema, properties: { ...properties, profile } } }
}

/** Returns facts about this run for the prompt, such as its mode. A subagent gets no `isUserPresent`. */
async function readEnvironment(ctx: Ctx, shownTools: readonly ListedTool[]): Promise<AgentEnvironment> {
  const { policy, can, agent: { child } = {} } = ctx
  const runs = shownTools.some(({ name, natives = [name] }) => natives.includes('bash'))
  const isSandboxed = runs ? (await can.processes.sandbox?.())?.active : undefined
  return {
    isSandboxed,
    canRequest: shownTools.some(({ name }) => name === 'bash'),
    mode: policy.readOnly ? undefined : policy.mode,
    isUserPresent: child === undefined ? can.user !== undefined : undefined,
  }
}

/**
 * Returns the facts that a summary of the conversation has to keep: the recorded work and the todo list.
 * Empty without a store or a thread.
 */
async function readFacts(ctx: Ctx, record: AgentParts['record']): Promise<string> {
  const store = await ctx.can.records.store?.()
  if (!store || ctx.thread === undefined) return ''
  record.flush()
  return describeWork(store, ctx.thread, ctx.policy.roots.workspace, todoKey(ctx))
}

/** Reports to the user which background servers started or failed, and returns notes for the model. */
function tellStarts({ note }: AgentParts, loading: Pick<ToolLoading, 'news'>): ModelMessage[] {
  const { model, user } = loading.news()
  for (const text of user) note?.(text)
  return model.map((content) => ({ role: 'user', content: `[${content}]`, origin: 'note' }))
}

/**
 * Returns the MCP servers that start in the background; undefined if no server starts, or if this agent may
 * not use their tools. A read-only agent may not, because most tools of servers are not read-only, nor may an
 * agent whose profile names no tools of servers.
 */
function usefulServers({ runtime, profile, ctx }: AgentParts): StartingServers | undefined {
  const isBarred = profile.readOnly || ctx.policy.readOnly
  const isNamed = profile.tools.some((pattern) => !pattern.startsWith('!') && pattern.includes('__'))
  return isBarred || !isNamed ? undefined : runtime.foreign?.opened?.starting
}

/** Returns functions for the tools of the model. `prepare` defers some of them when there are too many. */
function loadToolsOnDemand(parts: AgentParts, offered: () => readonly ListedTool[]) {
  const { runtime, profile, model, loadedTools } = parts
  let opened: ToolLoading | undefined
  return {
    async prepare() {
      const hasServers = () => offered().some(({ onDemand }) => onDemand !== undefined)
      const servers = usefulServers(parts)
      const isStarting = servers !== undefined && servers.list().length > 0
      if (opened || (runtime.toolset !== undefined && !hasServers() && !isStarting)) return
      const { window } = model
      opened = openToolLoading({
        all: offered,
        runtime,
        profile,
        window,
        servers,
        state: loadedTools ?? createLoadedTools(),
      })
    },
    tools: () => opened?.tools() ?? offered(),
    sections: () => opened?.sections() ?? [],
    notes: () => opened?.notes() ?? [],
    news: () => opened?.news() ?? { model: [], user: [] },
    toolSearch: {
      load: (...words: Parameters<ToolSearch['load']>) => searchTools(opened, ...words),
    },
  }
}

/** Returns the prompt sections about a toolset, which renames tools; an empty list without a toolset. */
async function toolSections(
  { profile, runtime: { toolset } }: Pick<AgentParts, 'profile' | 'runtime'>,
  shownTools: readonly ListedTool[],
): Promise<string[]> {
  if (!toolset) return []
  const natives = toolset.catalog.natives.flatMap(({ name, origin }) => (origin === 'native' ? [name] : []))
  const names = describeToolNames(profile.prompt, natives, shownTools)
  return [
    ...(names === undefined ? [] : [names]),
    ...(toolset.policy.toolsSection ? [listToolsInPrompt(shownTools)] : []),
  ]
}
