// Builds one agent: profile, model, tools, policy and prompt joined over a thread.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Budget } from '../agent/budget.ts'
import { type CompactionPermit, createCompactor, estimateTokens } from '../agent/compact.ts'
import { readInstructions } from '../agent/instructions.ts'
import type { Agent } from '../agent/loop.ts'
import type { ThreadRecorder } from '../agent/recorder.ts'
import { buildSystemPrompt, buildToolSpecs } from '../agent/system-prompt.ts'
import type { Effort, Model, ModelMessage, RequestMeta } from '../model/model.ts'
import type { Profile } from '../profile/profile.ts'
import { createCatalog, type ListedTool } from '../tool/catalog.ts'
import type { Ctx } from '../tool/ctx.ts'
import { hideInactiveExperiments } from './research/experiment-tools.ts'
import { memoizeByEntries } from './tool-registry.ts'

const efforts: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

interface AgentParts {
  profile: Profile
  model: Model
  /** Filtered for this agent; hidden ones are refused with their reason. The same array until something has changed. */
  tools: () => readonly ListedTool[]
  ctx: Ctx
  recorder: ThreadRecorder
  thread: string
  budget: Budget
  maxTurns: number
  effort?: Effort
  meta?: RequestMeta
  inbox(isIdle: boolean): Promise<ModelMessage[]>
  /** May refuse that the conversation is shortened. */
  permit?: CompactionPermit | undefined
  /** Resources of servers that `read` can be pointed at. */
  resources?: readonly string[]
  /** Told what of the instructions was left out; absent where somebody else has been told. */
  note?: (text: string) => void
  now: Date
}

export async function buildAgent(parts: AgentParts): Promise<Agent> {
  const { profile, model, ctx, recorder, thread, budget } = parts
  const { policy, cwd, signal } = ctx
  const instructions = await readInstructions({ cwd, policy, run: ctx.can.run, signal })
  for (const text of instructions.notes) parts.note?.(text)
  const tools = hideInactiveExperiments(parts.tools, () => ctx.can.research?.active() ?? true)
  const shown = () => tools().filter((entry) => entry.hidden === undefined)
  const specs = memoizeByEntries(tools, () => buildToolSpecs(shown()))
  const all = memoizeByEntries(tools, () => createCatalog(tools()))
  // the list of skills is of use only to who can load one
  const loads = shown().some((entry) => entry.name === 'skill')
  const system = buildSystemPrompt({
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
  const overhead = estimateTokens([{ role: 'system', content: system + JSON.stringify(specs()) }])
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
