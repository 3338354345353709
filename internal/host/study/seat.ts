// What the workers of a study and its coordinator sit on: model, tools and context, from the ground of one session.
import { hostname } from 'node:os'
import { toolSpecs } from '../../agent/prompt.ts'
import type { Model, ToolSpec } from '../../model/model.ts'
import { isRead } from '../../policy/level.ts'
import { findProfile } from '../../profile/find.ts'
import type { Journal } from '../../store/journal/journal.ts'
import { aggregator, type Desk, type Role } from '../../study/lead/lead.ts'
import planner from '../../study/plan/plan.md'
import type { Head, Task } from '../../study/study.ts'
import type { Seat } from '../../study/work/worker.ts'
import type { Listed } from '../../tool/catalog.ts'
import type { Ctx } from '../../tool/ctx.ts'
import type { Ground } from '../ground.ts'

/** Milliseconds; the heartbeat leaves four chances within a lease. */
export const leaseMs = 10_000
export const beatMs = 2_000

/** Everything a queue entry can make a worker do (study.md 3.2). */
const everywhere = ['render', 'chart', 'todo_read', 'todo_write', 'send_message', 'receive_messages']
const bySource = {
  repo: ['read', 'multi_read', 'glob', 'grep', 'finder'],
  web: ['web_search'],
  mcp: ['mcp__*'],
} as const
export const workerTools: readonly string[] = [...bySource.repo, ...bySource.web, ...everywhere]

export const ownHost = hostname()

/** How a process of this machine is known to others. */
export const ownerOf = (pid: number): string => `${ownHost}-${pid}`

/** `cwd` is what file names of models are relative to. */
export async function modelOf(ground: Ground, spec: string | undefined, cwd: string, env: Seatings['env']) {
  const { pickModel } = await import('../../model/pick.ts')
  const { model, providers } = ground.around.loaded.config
  return pickModel(spec, { env, cwd, config: { model, providers } })
}

export interface Seatings {
  ground: Ground
  journal: Journal
  env: Readonly<Record<string, string | undefined>>
  /** Corpus on this machine, a real path; absent: where the study says. */
  root?: string
  /** Absent: the study's own, by its name. */
  model?: Model
  label?: string
}

export function seatOf(seatings: Seatings): Seat {
  const { ground, journal, env } = seatings
  return {
    journal,
    owner: seatings.label ?? ownerOf(process.pid),
    pid: process.pid,
    host: ownHost,
    leaseMs,
    beatMs,
    model: async (head) =>
      seatings.model ?? (await modelOf(ground, head.model.name, head.project, env)).model,
    desk: (head, task, signal) => workDesk(seatings, head, task, signal),
  }
}

async function workDesk(
  { ground, journal, env, root }: Seatings,
  head: Head,
  task: Task,
  signal: AbortSignal,
): Promise<{ tools: Listed[]; specs: ToolSpec[]; ctx: Ctx }> {
  const names = [...task.sources.flatMap((source) => bySource[source]), ...everywhere]
  const tools = ground.tools(undefined, names, true).map((entry) => {
    // an MCP server's tool that changes something is no source
    const isForeign = entry.name.includes('__')
    return isForeign && !isRead(entry.level) && entry.hidden === undefined
      ? { ...entry, hidden: 'a study only reads' }
      : entry
  })
  const ctx = await contextOf(ground, root ?? head.root, signal)
  const study = `study:${head.id}`
  return {
    tools,
    specs: toolSpecs(tools.filter(({ hidden }) => hidden === undefined)),
    ctx: {
      ...ctx,
      thread: `${study}/${task.id}`,
      env: { ...env, ANODE_MAILBOX_SCOPE: study, ANODE_MAILBOX_NAME: task.id },
      can: { ...ctx.can, mail: async () => journal.mail },
    },
  }
}

/** The coordinator's own conversations: looking around for the plan, reading mail and threads for the report. */
export async function leadDesk(
  { ground, journal, env }: Seatings,
  head: Head,
  role: Role,
  signal: AbortSignal,
): Promise<Desk> {
  const ctx = await contextOf(ground, head.root, signal)
  if (role === 'plan') {
    const tools = ground.tools(undefined, ['glob', 'grep', 'finder'], true)
    const specs = toolSpecs(tools.filter(({ hidden }) => hidden === undefined))
    return { system: planner.trim(), tools, specs, ctx, maxSteps: 4 }
  }
  const profile = findProfile(await ground.profiles(), aggregator)
  const tools = ground.tools(profile, undefined, true)
  const study = `study:${head.id}`
  return {
    system: profile.prompt.trim(),
    tools,
    specs: toolSpecs(tools.filter(({ hidden }) => hidden === undefined)),
    ctx: {
      ...ctx,
      thread: `${study}/report`,
      policy: { ...ctx.policy, readOnly: true },
      env: { ...env, ANODE_MAILBOX_SCOPE: study, ANODE_MAILBOX_NAME: aggregator },
      can: { ...ctx.can, mail: async () => journal.mail },
    },
    maxSteps: profile.maxTurns,
  }
}

/** State of one's own and reads need no asking here; what is denied stays denied, and nobody is there to ask. */
const allowed = ['todo_write', 'send_message', 'web_search'].map((tool) => ({
  tool,
  action: 'allow' as const,
  origin: 'study',
}))

async function contextOf(ground: Ground, root: string, signal: AbortSignal): Promise<Ctx> {
  const ctx = await ground.ctx({
    thread: undefined,
    profile: undefined,
    log: { append: async () => undefined, keep: async () => '' },
    ask: async () => ({ allow: false, why: 'nobody is asked in a study' }),
    warn: () => undefined,
  })
  const { run, fetch, store } = ctx.can
  const can = { ...(run && { run }), ...(fetch && { fetch }), ...(store && { store }) }
  const { policy } = ctx
  return {
    ...ctx,
    cwd: root,
    signal,
    can,
    policy: {
      ...policy,
      mode: 'ask',
      agent: 'subagent',
      rules: [...policy.rules, ...allowed],
      roots: { ...policy.roots, workspace: root, added: [] },
    },
  }
}
