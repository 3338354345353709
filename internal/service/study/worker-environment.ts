// The environment of a study's workers and coordinator: model, tools and context from one runtime.

import { hostname } from 'node:os'
import { buildToolSpecs, toolConventions } from '../../agent/system-prompt.ts'
import type { Model, ToolSpec } from '../../model/model.ts'
import { isRead } from '../../policy/level.ts'
import { findProfileServing } from '../../profile/profile-set.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Journal } from '../../store/journal/journal.ts'
import { aggregatorMailbox } from '../../store/mail/scope.ts'
import type { CoordinatorRole, RoleSetup } from '../../study/coordinator/coordinator-options.ts'
import { heartbeatMs, leaseMs } from '../../study/engine/heartbeat.ts'
import type { StudyHead, StudyTask } from '../../study/log/entries.ts'
import planner from '../../study/plan/planner-prompt.md'
import type { StudyWorkerContext } from '../../study/worker/worker.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { chooseEngineName } from '../../web/search/engine-name.ts'

/**
 * Tools of every worker; `bySource` has further tools for each source that a task may use. Tasks from a queue
 * cannot use other tools.
 */
const everywhere = ['send_message', 'receive_messages']
const bySource = {
  repo: ['read', 'multi_read', 'glob', 'grep', 'finder'],
  web: ['web_search', 'web_fetch'],
  mcp: ['mcp__*'],
} as const
export const workerToolNames: readonly string[] = [...bySource.repo, ...bySource.web, ...everywhere]

export const thisHost = hostname()

/**
 * Returns the name of a process of this machine, `HOST-PID`, which other machines can distinguish from
 * their own processes.
 */
export const leaseOwner = (pid: number): string => `${thisHost}-${pid}`

/**
 * Returns the model, with a notice if there is one. File names of models are relative to `cwd`. Of a list
 * only the first model is used, unless a switch is allowed.
 */
export async function pickStudyModel(
  runtime: Runtime,
  spec: string | undefined,
  cwd: string,
  env: WorkerEnvironment['env'],
  allowSwitch = false,
) {
  const { pickModel } = await import('../../model/model-choice.ts')
  const { model, providers } = runtime.context.loaded.config
  return pickModel(spec, { env, cwd, config: { model, providers }, isSwitchBarred: !allowSwitch })
}

/**
 * The value of `allowSwitch` for a stored study: its head has a list of models only if it was
 * started with permission to switch between models.
 */
export const wasAllowed = true

export interface WorkerEnvironment {
  runtime: Runtime
  journal: Journal
  env: Readonly<Record<string, string | undefined>>
  /**
   * Real path of the directory with the files of the study on this machine. Default: the path that
   * the study names.
   */
  root?: string
  /** The model. Default: the study's model by its name. */
  model?: Model
  label?: string
}

export function prepareWorker(environment: WorkerEnvironment): StudyWorkerContext {
  const { runtime, journal, env } = environment
  return {
    journal,
    owner: environment.label ?? leaseOwner(process.pid),
    pid: process.pid,
    host: thisHost,
    version: process.env.ANODE_VERSION,
    leaseMs,
    heartbeatMs,
    isConfined: environment.root !== undefined,
    model: async (head) =>
      environment.model ??
      (await pickStudyModel(runtime, head.model.name, head.project, env, wasAllowed)).model,
    setUpTask: (head, task, signal) => openTaskContext(environment, head, task, signal),
  }
}

async function openTaskContext(
  { runtime, journal, env, root }: WorkerEnvironment,
  head: StudyHead,
  task: StudyTask,
  signal: AbortSignal,
): Promise<{ tools: ListedTool[]; specs: ToolSpec[]; ctx: Ctx }> {
  const names = [...task.sources.flatMap((source) => bySource[source]), ...everywhere]
  const tools = runtime.tools(undefined, names, true).map((entry) => {
    // a tool of an MCP server that changes something is hidden, because a study only reads
    const isForeign = entry.name.includes('__')
    return isForeign && !isRead(entry.level) && entry.hidden === undefined
      ? { ...entry, hidden: 'a study only reads' }
      : entry
  })
  const ctx = await contextOf(runtime, root ?? head.root, signal)
  const study = `study:${head.id}`
  return {
    tools,
    specs: buildToolSpecs(
      tools.filter(({ hidden }) => hidden === undefined),
      () => chooseEngineName(ctx.settings.web, ctx.env),
    ),
    ctx: {
      ...ctx,
      thread: `${study}/${task.id}`,
      env: { ...env, ANODE_MAILBOX_SCOPE: study, ANODE_MAILBOX_NAME: task.id },
      can: {
        ...ctx.can,
        // workers with a model run at the same time, so each search uses one reader; a search by rules uses a
        // reader for each worker
        processes: { ...ctx.can.processes, readers: head.model.kind === 'rules' ? head.workers : 1 },
        records: { ...ctx.can.records, mail: async () => journal.mail },
      },
    },
  }
}

/**
 * Opens the context of the coordinator's conversations: exploration for the plan, threads for the report.
 */
export async function openCoordinatorContext(
  { runtime, journal, env }: WorkerEnvironment,
  head: StudyHead,
  role: CoordinatorRole,
  signal: AbortSignal,
): Promise<RoleSetup> {
  const ctx = await contextOf(runtime, head.root, signal)
  if (role === 'plan') {
    const tools = runtime.tools(undefined, ['glob', 'grep', 'finder'], true)
    const specs = buildToolSpecs(tools.filter(({ hidden }) => hidden === undefined))
    return { system: `${planner.trim()}\n\n${toolConventions}`, tools, specs, ctx, maxSteps: 4 }
  }
  const profile = findProfileServing(await runtime.profiles(), 'study_report')
  // the model that writes the report can only read threads, because it must add no facts; claims and late
  // messages are in its prompt
  const tools = runtime.tools(profile, ['read_thread'], true)
  const study = `study:${head.id}`
  return {
    system: `${profile.prompt.trim()}\n\n${toolConventions}`,
    tools,
    specs: buildToolSpecs(tools.filter(({ hidden }) => hidden === undefined)),
    ctx: {
      ...ctx,
      thread: `${study}/report`,
      policy: { ...ctx.policy, readOnly: true },
      env: { ...env, ANODE_MAILBOX_SCOPE: study, ANODE_MAILBOX_NAME: aggregatorMailbox },
      can: { ...ctx.can, records: { ...ctx.can.records, mail: async () => journal.mail } },
    },
    maxSteps: profile.maxTurns,
  }
}

/**
 * Returns rules that allow these calls without approval: todo lists, messages, web searches, and reads of
 * pages that a search has returned. Other calls that need approval are denied, because a worker cannot
 * ask the user.
 */
const allowedRules = () =>
  ['todo_write', 'send_message', ...bySource.web].map((tool) => ({
    tool,
    action: 'allow' as const,
    origin: 'study',
    // only a page that a search has returned is allowed; another page needs a rule of the user
    ...(tool === 'web_fetch' && { known: true as const }),
  }))

async function contextOf(runtime: Runtime, root: string, signal: AbortSignal): Promise<Ctx> {
  const ctx = await runtime.ctx({
    thread: undefined,
    profile: undefined,
    log: { append: async () => undefined, keep: async () => '' },
    ask: async () => ({ allow: false, why: 'no user can approve calls in a study' }),
    warn: () => undefined,
  })
  const { policy, can } = ctx
  return {
    ...ctx,
    cwd: root,
    signal,
    can: {
      processes: { run: can.processes.run },
      records: { store: can.records.store },
      fetch: can.fetch,
    },
    policy: {
      ...policy,
      mode: 'ask',
      agent: 'subagent',
      rules: [...policy.rules, ...allowedRules()],
      roots: { ...policy.roots, workspace: root, added: [] },
    },
  }
}
