// Sets up an agent session over a thread: profile, model, tools, policy and prompt joined.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readInstructions } from '../agent/instructions.ts'
import { type AgentSession, type AgentSessionOptions, openAgentSession } from '../agent/session.ts'
import { buildSystemPrompt, buildToolSpecs } from '../agent/system-prompt.ts'
import type { Effort } from '../model/model.ts'
import type { Profile } from '../profile/profile.ts'
import { createCatalog, type ListedTool } from '../tool/catalog.ts'
import { hideInactiveExperiments } from './research/experiment-tools.ts'
import { memoizeByEntries } from './tool-registry.ts'

const efforts: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

interface AgentParts
  extends Pick<
    AgentSessionOptions,
    'model' | 'ctx' | 'record' | 'messages' | 'thread' | 'budget' | 'maxTurns' | 'meta' | 'inbox' | 'permit'
  > {
  profile: Profile
  /**
   * Filtered for this agent; hidden ones are refused with their reason. The same array until something has
   * changed.
   */
  tools: () => readonly ListedTool[]
  effort?: Effort
  /** Resources of servers that `read` can be pointed at. */
  resources?: readonly string[]
  /** Called with what of the instructions was left out; absent where somebody else has heard it. */
  note?: (text: string) => void
  now: Date
}

export async function setUpSession(parts: AgentParts): Promise<AgentSession> {
  const { profile, ctx } = parts
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
  return openAgentSession({
    ...parts,
    tools: specs,
    catalog: all,
    system,
    effort: parts.effort ?? efforts[profile.effort] ?? 'medium',
  })
}
