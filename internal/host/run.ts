// One headless run of an agent: opens or resumes a thread, drives the loop, reports every event.
import { budget, type Caps, type Spent } from '../agent/budget.ts'
import { drive } from '../agent/drive.ts'
import type { End } from '../agent/end.ts'
import { recorder } from '../agent/recorder.ts'
import { say } from '../agent/speak.ts'
import { ulid } from '../base/ids.ts'
import type { Draft } from '../event/event.ts'
import { findProfile, profileServing } from '../profile/find.ts'
import { buildAgent } from './agent.ts'
import { openGround } from './ground.ts'
import { policyOf } from './policy.ts'
import { follow } from './registry.ts'
import { reviewer } from './review.ts'
import type { RunOptions } from './run-options.ts'
import { answerOpen, openThread } from './thread.ts'

export interface Ran {
  thread: string
  end: End
  spent: Spent
  model: string
}

/** Throws UserError before anything has run: configuration, profile, model, thread. */
export async function run(options: RunOptions): Promise<Ran> {
  const ground = await openGround(options)
  try {
    for (const note of ground.notes) options.note(note)
    const { config } = ground.around.loaded
    const profiles = await ground.profiles()
    const isServed = options.profile === undefined && options.serves !== undefined
    const profile = isServed
      ? profileServing(profiles, options.serves as string)
      : findProfile(profiles, options.profile ?? config.profile)
    const model = await ground.model(options.model ?? profile.model, options.note)
    // wrong directories are found before there is a thread
    const policy = policyOf(options, ground.around, profile)
    const store = await ground.resources.store()
    const opened = openThread(store, ground.around.workspace, profile, model.id, options)
    const { thread, messages } = opened
    const keep = config.session?.maxSessions
    if (keep !== undefined) store.threads.trim(ground.around.workspace, keep)
    const log = recorder(store, thread, `run_${ulid()}`, options.show)
    const caps: Caps = { ...capsOf(profile.limits), ...options.caps }
    const spending = budget(caps)
    const seat = await ground.ctx({ thread, profile, log, ask: options.ask, warn: options.note })
    const base = { ...seat, policy, signal: until(caps.deadline, options.signal) }
    const report = (draft: Draft) => log.append(draft)
    const parent = { ctx: base, budget: spending, model, only: options.tools, report }
    const spawn = ground.spawn(parent)
    const review = reviewer({ ...parent, ground })
    const agent = await buildAgent({
      profile,
      model,
      tools: follow(ground.entries, () => ground.tools(profile, options.tools)),
      ctx: { ...base, can: { ...base.can, spawn, review } },
      recorder: log,
      thread,
      budget: spending,
      maxTurns: options.maxTurns ?? profile.maxTurns,
      meta: { purpose: 'work', ...(options.task !== undefined && { task: options.task }) },
      inbox: options.inbox,
      now: new Date(),
    })
    const tools = agent.tools.map((tool) => tool.name)
    const label = options.label === undefined ? {} : { label: options.label }
    const init = { profile: profile.name, model: model.id, cwd: base.cwd, tools, thread, ...label }
    await log.append({ type: 'system.init', payload: init })
    await answerOpen(opened, log)
    if (options.prompt !== undefined) {
      for (const draft of say(messages, { role: 'user', content: options.prompt })) await log.append(draft)
    }
    const end = await drive(agent, messages, log)
    return { thread, end, spent: spending.spent, model: model.id }
  } finally {
    await ground.close()
  }
}

/** Aborts at the deadline too: a call or a reply that takes longer is ended, not waited for. */
function until(deadline: number | undefined, signal: AbortSignal): AbortSignal {
  if (deadline === undefined) return signal
  return AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, deadline - Date.now()))])
}

/** The limits a profile sets, as caps of one run. */
function capsOf(limits: { toolCalls?: number; seconds?: number; tokens?: number; usd?: number }) {
  return {
    ...(limits.toolCalls !== undefined && { calls: limits.toolCalls }),
    ...(limits.seconds !== undefined && { deadline: Date.now() + limits.seconds * 1000 }),
    ...(limits.tokens !== undefined && { tokens: limits.tokens }),
    ...(limits.usd !== undefined && { usd: limits.usd }),
  }
}
