// Children: an agent below another one, with its own thread, less permission and a part of the budget.

import { budget, type Caps } from '../agent/budget.ts'
import { drive } from '../agent/drive.ts'
import { ledger } from '../agent/receipts.ts'
import { recorder } from '../agent/recorder.ts'
import { say } from '../agent/speak.ts'
import { ulid } from '../base/ids.ts'
import { timeLimit } from '../base/time-limit.ts'
import type { Draft } from '../event/event.ts'
import type { Effort, Model } from '../model/model.ts'
import { narrow, type Policy } from '../policy/decide.ts'
import { findProfile, profileServing } from '../profile/find.ts'
import type { Profile } from '../profile/profile.ts'
import { numberCalls } from '../tool/call-ids.ts'
import type { Listed } from '../tool/catalog.ts'
import type { ChildEnd, Ctx, Order, Spawn } from '../tool/ctx.ts'
import type { Above } from './above.ts'
import { buildAgent } from './agent.ts'
import type { Ground } from './ground.ts'
import { follow, narrowed } from './registry.ts'

/** A parent with the ground that both stand on. */
export type Parent = Above & { ground: Ground }

/** The order's profile and model are looked up first: a mistake in them is a UserError and starts nothing. */
export function spawner(parent: Parent): Spawn {
  let children = 0
  return async (order, signal) => {
    const calls = `call_a${++children}.`
    const profiles = await parent.ground.profiles()
    const { profile: name, serves = '', model: spec } = order
    const profile = name === undefined ? profileServing(profiles, serves) : findProfile(profiles, name)
    const inherited = spec === undefined ? parent.model : undefined
    const model = inherited ?? (await parent.ground.model(spec ?? profile.model))
    return runChild(parent, order, profile, model, calls, signal)
  }
}

/** What a child may: what its profile may, under all that binds its parent. */
export function policyBelow(parent: Policy, profile: string, readOnly: boolean): Policy {
  return narrow(parent, { ...parent, profile, agent: 'subagent', readOnly })
}

/** What a child is offered: its profile's tools, less what the order and the person left out, and none that spawns. */
export function toolsBelow(
  { ground, only }: Pick<Parent, 'ground' | 'only'>,
  profile: Profile,
  asked: readonly string[] | undefined,
): Listed[] {
  return narrowed(ground.tools(profile, asked, true), only, true)
}

async function runChild(
  parent: Parent,
  order: Order,
  profile: Profile,
  model: Model,
  calls: string,
  signal: AbortSignal,
): Promise<ChildEnd> {
  const started = Date.now()
  const store = await parent.ground.resources.store()
  const { workspace } = parent.ctx.policy.roots
  const thread = store.threads.create({
    workspace,
    title: order.title,
    profile: profile.name,
    model: model.id,
    ...(parent.ctx.thread !== undefined && { parent: parent.ctx.thread }),
  }).id
  await parent.report({
    type: 'child.started',
    payload: { thread, title: order.title, profile: profile.name },
  })

  const seen = ledger()
  const log = recorder(store, thread, `run_${ulid()}`, (event) => {
    seen.add(event)
    // whoever answers sees the parent's events
    if (event.type === 'permission.asked' || event.type === 'permission.decided') {
      const { type, payload } = event
      const report = { type, payload: { ...payload, thread, child: order.title } } as Draft
      // a record that cannot be kept ends the parent at its own next event
      parent.report(report).catch(() => undefined)
    }
    parent.ground.plugins?.event(thread, event)
  })
  const timeout = timeLimit(order.timeoutMs)
  const caps: Caps = {
    deadline: started + order.timeoutMs,
    ...(order.maxCalls !== undefined && { calls: order.maxCalls }),
  }
  const own = parent.budget?.part(caps) ?? budget(caps)
  const readOnly = profile.readOnly || order.readOnly === true
  const { spawn: _, user: __, review: ____, ...can } = parent.ctx.can
  const ctx: Ctx = {
    ...parent.ctx,
    signal: AbortSignal.any([signal, parent.ctx.signal, timeout]),
    thread,
    child: order.title,
    nextCall: numberCalls(calls),
    policy: policyBelow(parent.ctx.policy, profile.name, readOnly),
    seen: new Map(),
    log,
    can,
  }
  const agent = await buildAgent({
    profile,
    model,
    tools: follow(parent.ground.entries, () => toolsBelow(parent, { ...profile, readOnly }, order.tools)),
    ctx,
    recorder: log,
    thread,
    budget: own,
    maxTurns: order.maxTurns ?? profile.maxTurns,
    ...(order.effort !== undefined && { effort: order.effort as Effort }),
    meta: { purpose: 'work', task: order.title },
    inbox: async () => [],
    permit: parent.permit,
    now: new Date(),
  })
  const messages: Parameters<typeof drive>[1] = []
  for (const draft of say(messages, { role: 'user', content: order.goal })) await log.append(draft)
  const end = await drive(agent, messages, log)
  const result: ChildEnd = {
    end: end.end,
    reason: end.end === 'failed' ? `${end.reason}: ${end.message}` : 'reason' in end ? end.reason : undefined,
    text: end.text,
    thread,
    receipts: seen.receipts(),
    turns: seen.turns(),
    calls: seen.calls(),
    tokens: own.spent.input + own.spent.output,
    usd: own.spent.usd,
    ms: Date.now() - started,
  }
  const { text: ___, ...payload } = result
  await parent.report({ type: 'child.ended', payload: { thread, end: payload } })
  return result
}
