// Subagents: each has its own thread, no more permissions than its parent agent, and a part of its budget.

import { type Budget, type BudgetCaps, createBudget } from '../../agent/budget.ts'
import { recordActivity } from '../../agent/receipts.ts'
import { createRecorder } from '../../agent/recorder.ts'
import { runAgent } from '../../agent/run-agent.ts'
import type { RunEnd } from '../../agent/run-end.ts'
import type { AgentSession, SessionRecord } from '../../agent/session.ts'
import { createUlid } from '../../base/ids.ts'
import { refuseFileModel } from '../../base/text/file-model.ts'
import { timeLimit } from '../../base/time-limit.ts'
import type { Event, EventDraft } from '../../event/event.ts'
import type { Effort, Model } from '../../model/model.ts'
import { narrowPolicy, type Policy } from '../../policy/decide.ts'
import type { Profile } from '../../profile/profile.ts'
import { findProfile, findProfileServing } from '../../profile/profile-set.ts'
import type { Store } from '../../store/store.ts'
import type { AgentSpawner, SpawnRequest, SpawnResult } from '../../tool/agents.ts'
import { createCallNumbering } from '../../tool/call-ids.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { openHookGate } from '../run/stop-gate.ts'
import type { Runtime } from '../runtime.ts'
import { memoizeByEntries, restrictTools } from '../tools/tool-registry.ts'
import { setUpSession } from './agent-setup.ts'
import type { ParentAgent } from './parent-agent.ts'

/** A parent agent and the runtime that it shares with its subagents. */
type SpawnParent = ParentAgent & { runtime: Runtime }

/**
 * Returns a function that starts a subagent and resolves with its result. If the requested profile or model
 * cannot be used, it rejects with UserError and starts no subagent.
 */
export function createSpawner(parent: SpawnParent): AgentSpawner {
  let children = 0
  return async (request, signal) => {
    const calls = `call_a${++children}.`
    const profiles = await parent.runtime.profiles()
    const { profile: name, serves = '', model: spec } = request
    if (spec !== undefined) refuseFileModel(spec, 'a tool call')
    const profile = name === undefined ? findProfileServing(profiles, serves) : findProfile(profiles, name)
    const inherited = spec === undefined ? parent.model : undefined
    const model = inherited ?? (await parent.runtime.model(spec ?? profile.model))
    return runChild(parent, request, profile, model, calls, signal)
  }
}

/**
 * Returns the policy of a subagent: its profile's permissions, limited by everything that limits its parent.
 */
export function narrowChildPolicy(parent: Policy, profile: string, readOnly: boolean): Policy {
  return narrowPolicy(parent, { ...parent, profile, agent: 'subagent', readOnly })
}

/**
 * Returns the profile's tools for a subagent. Those that start agents, and those that the request or the user
 * excluded, are hidden.
 */
export function restrictChildTools(
  { runtime, only }: Pick<SpawnParent, 'runtime' | 'only'>,
  profile: Profile,
  requestedTools: readonly string[] | undefined,
): ListedTool[] {
  return restrictTools(runtime.tools(profile, requestedTools, true), only, true)
}

async function runChild(
  parent: SpawnParent,
  request: SpawnRequest,
  profile: Profile,
  model: Model,
  calls: string,
  signal: AbortSignal,
): Promise<SpawnResult> {
  const started = Date.now()
  const { title, timeoutMs, maxCalls } = request
  const store = await parent.runtime.resources.store()
  const { workspace } = parent.ctx.policy.roots
  const parentThread = parent.ctx.thread === undefined ? {} : { parent: parent.ctx.thread }
  const thread = store.threads.create({
    workspace,
    title,
    profile: profile.name,
    model: model.id,
    ...parentThread,
  }).id
  await parent.report({ type: 'child.started', payload: { thread, title, profile: profile.name } })

  const activity = recordActivity(workspace, parent.ctx.policy.roots.instructions)
  const record = createChildRecord(parent, store, { thread, title }, activity.add)
  const caps: BudgetCaps = { deadline: started + timeoutMs, calls: maxCalls }
  const budget = parent.budget?.part(caps) ?? createBudget(caps)
  const session = await openChildSession(parent, request, {
    profile,
    model,
    thread,
    calls,
    record,
    budget,
    signal,
  })
  await session.addMessage({ role: 'user', content: request.goal })
  const end = await runAgent(session, record)
  const result: SpawnResult = {
    ...describeChildEnd(end),
    thread,
    receipts: activity.receipts(),
    turns: activity.turns(),
    calls: activity.calls(),
    tokens: budget.spent.input + budget.spent.output,
    usd: budget.spent.usd,
    ms: Date.now() - started,
  }
  const { text: _, ...payload } = result
  await parent.report({ type: 'child.ended', payload: { thread, end: payload } })
  return result
}

interface ChildParts {
  profile: Profile
  model: Model
  thread: string
  /** Prefix of the ids of the subagent's calls. */
  calls: string
  record: SessionRecord
  budget: Budget
  signal: AbortSignal
}

async function openChildSession(
  parent: SpawnParent,
  request: SpawnRequest,
  parts: ChildParts,
): Promise<AgentSession> {
  const { profile, model, thread, calls, record, budget, signal } = parts
  const readOnly = profile.readOnly || request.readOnly === true
  const narrowed = narrowChildCtx(parent.ctx, profile.name, readOnly)
  const ctx: Ctx = {
    ...narrowed,
    signal: AbortSignal.any([signal, parent.ctx.signal, timeLimit(request.timeoutMs)]),
    thread,
    agent: { ...narrowed.agent, child: request.title },
    gate: { ...narrowed.gate, nextCall: createCallNumbering(calls) },
    log: record,
  }
  const warn = (text: string) =>
    void record.append({ type: 'model.notice', payload: { code: 'note', text } }).catch(() => undefined)
  const hooks = await parent.runtime.hooks({ thread, warn, signal: ctx.signal })
  return setUpSession({
    gate: openHookGate(hooks, 'SubagentStop', warn),
    runtime: parent.runtime,
    profile,
    model,
    tools: memoizeByEntries(parent.runtime.entries, () =>
      restrictChildTools(parent, { ...profile, readOnly }, request.tools),
    ),
    ctx,
    record,
    messages: [],
    thread,
    // all agents of a run share the start of the prompt, so the provider caches it once
    cacheKey: parent.ctx.thread,
    budget,
    maxTurns: request.maxTurns ?? profile.maxTurns,
    effort: request.effort === undefined ? undefined : (request.effort as Effort),
    meta: { purpose: 'work', task: request.title },
    inbox: async () => [],
    permit: parent.permit,
    now: new Date(),
  })
}

/**
 * Returns the context of a subagent: it cannot start agents, ask the user questions or plan. It starts
 * without knowledge of the files that its parent has read.
 */
export function narrowChildCtx(ctx: Ctx, profile: string, readOnly: boolean): Ctx {
  const { agents: _, user: __, plan: ___, ...can } = ctx.can
  return {
    ...ctx,
    policy: narrowChildPolicy(ctx.policy, profile, readOnly),
    seen: new Map(),
    can,
    gate: { ...ctx.gate, isTyped: false },
  }
}

export function describeChildEnd(end: RunEnd): Pick<SpawnResult, 'end' | 'reason' | 'text'> {
  const why = 'reason' in end ? end.reason : undefined
  return { end: end.end, reason: end.end === 'failed' ? `${why}: ${end.message}` : why, text: end.text }
}

/**
 * Records a subagent's events in its own thread. The parent's thread also gets the approvals, which the user
 * answers there, the writes, and notices about the sandbox.
 */
function createChildRecord(
  parent: SpawnParent,
  store: Store,
  { thread, title }: { thread: string; title: string },
  add: (event: Event) => void,
): SessionRecord {
  return createRecorder(store, thread, `run_${createUlid()}`, (event) => {
    add(event)
    if (event.type === 'permission.asked' || event.type === 'permission.decided') {
      const { type, payload } = event
      const report = { type, payload: { ...payload, thread, child: title } } as EventDraft
      // if the thread of the parent cannot be written, the parent fails at its own next event
      parent.report(report).catch(() => undefined)
    }
    // the parent's thread records the write too, so that an undo there reverts it; if a subagent undoes a
    // write, the parent's thread records that as a write of the tool `task`
    if (event.type === 'file.written') {
      const { tool, ...write } = event.payload
      const payload = { ...write, tool: tool === 'undo' ? 'task' : tool }
      parent.report({ type: event.type, payload }).catch(() => undefined)
    }
    // the user gets a notice about the sandbox once per session
    if (event.type === 'model.notice' && event.payload.code === 'sandbox')
      parent.report({ type: event.type, payload: event.payload }).catch(() => undefined)
    parent.runtime.plugins?.event(thread, event)
    parent.runtime.resources.trace?.(thread, event)
  })
}
