// Children: an agent below another one, with its own thread, less permission and a part of the budget.

import { type BudgetCaps, createBudget } from '../agent/budget.ts'
import { appendUserMessage } from '../agent/messages.ts'
import { recordActivity } from '../agent/receipts.ts'
import { createRecorder } from '../agent/recorder.ts'
import { runAgent } from '../agent/run-agent.ts'
import { createUlid } from '../base/ids.ts'
import { timeLimit } from '../base/time-limit.ts'
import type { EventDraft } from '../event/event.ts'
import type { Effort, Model } from '../model/model.ts'
import { narrowPolicy, type Policy } from '../policy/decide.ts'
import type { Profile } from '../profile/profile.ts'
import { findProfile, findProfileServing } from '../profile/profile-lookup.ts'
import { createCallNumbering } from '../tool/call-ids.ts'
import type { ListedTool } from '../tool/catalog.ts'
import type { AgentSpawner, Ctx, SpawnRequest, SpawnResult } from '../tool/ctx.ts'
import { buildAgent } from './agent-setup.ts'
import type { ParentAgent } from './parent-agent.ts'
import type { Runtime } from './runtime.ts'
import { memoizeByEntries, restrictTools } from './tool-registry.ts'

/** A parent with the runtime that both share. */
export type SpawnParent = ParentAgent & { runtime: Runtime }

/** The order's profile and model are looked up first: a mistake in them is a UserError and starts nothing. */
export function createSpawner(parent: SpawnParent): AgentSpawner {
  let children = 0
  return async (request, signal) => {
    const calls = `call_a${++children}.`
    const profiles = await parent.runtime.profiles()
    const { profile: name, serves = '', model: spec } = request
    const profile = name === undefined ? findProfileServing(profiles, serves) : findProfile(profiles, name)
    const inherited = spec === undefined ? parent.model : undefined
    const model = inherited ?? (await parent.runtime.model(spec ?? profile.model))
    return runChild(parent, request, profile, model, calls, signal)
  }
}

/** What a child may: what its profile may, under all that binds its parent. */
export function narrowChildPolicy(parent: Policy, profile: string, readOnly: boolean): Policy {
  return narrowPolicy(parent, { ...parent, profile, agent: 'subagent', readOnly })
}

/** What a child is offered: its profile's tools, less what the order and the person left out, and none that spawns. */
export function restrictChildTools(
  { runtime, only }: Pick<SpawnParent, 'runtime' | 'only'>,
  profile: Profile,
  asked: readonly string[] | undefined,
): ListedTool[] {
  return restrictTools(runtime.tools(profile, asked, true), only, true)
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
  const store = await parent.runtime.resources.store()
  const { workspace } = parent.ctx.policy.roots
  const thread = store.threads.create({
    workspace,
    title: request.title,
    profile: profile.name,
    model: model.id,
    ...(parent.ctx.thread !== undefined && { parent: parent.ctx.thread }),
  }).id
  await parent.report({
    type: 'child.started',
    payload: { thread, title: request.title, profile: profile.name },
  })

  const activity = recordActivity()
  const log = createRecorder(store, thread, `run_${createUlid()}`, (event) => {
    activity.add(event)
    // whoever answers sees the parent's events
    if (event.type === 'permission.asked' || event.type === 'permission.decided') {
      const { type, payload } = event
      const report = { type, payload: { ...payload, thread, child: request.title } } as EventDraft
      // a record that cannot be kept ends the parent at its own next event
      parent.report(report).catch(() => undefined)
    }
    parent.runtime.plugins?.event(thread, event)
  })
  const timeout = timeLimit(request.timeoutMs)
  const caps: BudgetCaps = {
    deadline: started + request.timeoutMs,
    ...(request.maxCalls !== undefined && { calls: request.maxCalls }),
  }
  const own = parent.budget?.part(caps) ?? createBudget(caps)
  const readOnly = profile.readOnly || request.readOnly === true
  const { spawn: _, user: __, review: ____, ...can } = parent.ctx.can
  const ctx: Ctx = {
    ...parent.ctx,
    signal: AbortSignal.any([signal, parent.ctx.signal, timeout]),
    thread,
    child: request.title,
    nextCall: createCallNumbering(calls),
    policy: narrowChildPolicy(parent.ctx.policy, profile.name, readOnly),
    seen: new Map(),
    log,
    can,
  }
  const agent = await buildAgent({
    profile,
    model,
    tools: memoizeByEntries(parent.runtime.entries, () =>
      restrictChildTools(parent, { ...profile, readOnly }, request.tools),
    ),
    ctx,
    recorder: log,
    thread,
    budget: own,
    maxTurns: request.maxTurns ?? profile.maxTurns,
    ...(request.effort !== undefined && { effort: request.effort as Effort }),
    meta: { purpose: 'work', task: request.title },
    inbox: async () => [],
    permit: parent.permit,
    now: new Date(),
  })
  const messages: Parameters<typeof runAgent>[1] = []
  for (const draft of appendUserMessage(messages, { role: 'user', content: request.goal }))
    await log.append(draft)
  const end = await runAgent(agent, messages, log)
  const result: SpawnResult = {
    end: end.end,
    reason: end.end === 'failed' ? `${end.reason}: ${end.message}` : 'reason' in end ? end.reason : undefined,
    text: end.text,
    thread,
    receipts: activity.receipts(),
    turns: activity.turns(),
    calls: activity.calls(),
    tokens: own.spent.input + own.spent.output,
    usd: own.spent.usd,
    ms: Date.now() - started,
  }
  const { text: ___, ...payload } = result
  await parent.report({ type: 'child.ended', payload: { thread, end: payload } })
  return result
}
