// Builds one agent: profile, model, tools, policy and prompt joined over a thread.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Budget } from '../agent/budget.ts'
import { createCompactor, type Permit, tokensOf } from '../agent/compact.ts'
import { readInstructions } from '../agent/instructions.ts'
import type { Agent } from '../agent/loop.ts'
import { systemPrompt, toolSpecs } from '../agent/prompt.ts'
import type { Recorder } from '../agent/recorder.ts'
import type { Effort, Model, ModelMessage, RequestMeta } from '../model/model.ts'
import type { Profile } from '../profile/profile.ts'
import { catalog, type Listed } from '../tool/catalog.ts'
import type { Ctx } from '../tool/ctx.ts'
import { follow } from './registry.ts'
import { whileActive } from './research/experiments.ts'

const efforts: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

export interface Parts {
  profile: Profile
  model: Model
  /** Filtered for this agent; hidden ones are refused with their reason. The same array until something has changed. */
  tools: () => readonly Listed[]
  ctx: Ctx
  recorder: Recorder
  thread: string
  budget: Budget
  maxTurns: number
  effort?: Effort
  meta?: RequestMeta
  inbox(isIdle: boolean): Promise<ModelMessage[]>
  /** May refuse that the conversation is shortened. */
  permit?: Permit | undefined
  /** Resources of servers that `read` can be pointed at. */
  resources?: readonly string[]
  /** Told what of the instructions was left out; absent where somebody else has been told. */
  note?: (text: string) => void
  now: Date
}

export async function buildAgent(parts: Parts): Promise<Agent> {
  const { profile, model, ctx, recorder, thread, budget } = parts
  const { policy, cwd, signal } = ctx
  const instructions = await readInstructions({ cwd, policy, run: ctx.can.run, signal })
  for (const text of instructions.notes) parts.note?.(text)
  const tools = whileActive(parts.tools, () => ctx.can.research?.active() ?? true)
  const shown = () => tools().filter((entry) => entry.hidden === undefined)
  const specs = follow(tools, () => toolSpecs(shown()))
  const all = follow(tools, () => catalog(tools()))
  // the list of skills is of use only to who can load one
  const loads = shown().some((entry) => entry.name === 'skill')
  const system = systemPrompt({
    profile: profile.prompt,
    instructions: instructions.text,
    resources: parts.resources ?? [],
    skills: loads ? ((await ctx.can.skills?.list()) ?? []) : [],
    facts: {
      workspace: ctx.policy.roots.workspace,
      platform: process.platform,
      date: parts.now.toISOString().slice(0, 10),
      git: existsSync(join(ctx.policy.roots.workspace, '.git')),
    },
  })
  const overhead = tokensOf([{ role: 'system', content: system + JSON.stringify(specs()) }])
  return {
    model,
    get catalog() {
      return all()
    },
    ctx,
    system,
    get tools() {
      return specs()
    },
    maxTurns: parts.maxTurns,
    effort: parts.effort ?? efforts[profile.effort] ?? 'medium',
    budget,
    ...(parts.meta && { meta: parts.meta }),
    inbox: parts.inbox,
    compact: createCompactor({ model, signal: ctx.signal, overhead, thread, budget, permit: parts.permit }),
    commit: () => recorder.flush(),
  }
}
