// One headless run of an agent: opens or resumes a thread, drives the loop, reports every event.

import { budget, type Caps, type Spent } from '../agent/budget.ts'
import type { Permit } from '../agent/compact.ts'
import { drive, recordEnd } from '../agent/drive.ts'
import type { End } from '../agent/end.ts'
import type { Agent } from '../agent/loop.ts'
import { type Recorder, recorder } from '../agent/recorder.ts'
import { say } from '../agent/speak.ts'
import type { UnansweredCall } from '../agent/unanswered.ts'
import { ulid } from '../base/ids.ts'
import { timeLimit } from '../base/time-limit.ts'
import type { Draft } from '../event/event.ts'
import type { Content, ModelMessage } from '../model/model.ts'
import { findProfile, profileServing } from '../profile/find.ts'
import { buildAgent } from './agent.ts'
import { type Ground, openGround } from './ground.ts'
import { policyOf } from './policy.ts'
import { checkToolNames, follow } from './registry.ts'
import { reviewer } from './review.ts'
import type { RunOptions } from './run-options.ts'
import { heard, type Submitted, submit } from './submit.ts'
import { answerOpen, lastUse, openThread } from './thread.ts'
import { noteUnanswered } from './unanswered.ts'

export interface Ran {
  thread: string
  end: End
  spent: Spent
  model: string
  /** Calls that were denied because nobody could answer. */
  unanswered: readonly UnansweredCall[]
}

/** Throws UserError before anything has run: configuration, profile, model, thread. */
export async function run(options: RunOptions): Promise<Ran> {
  const ground = await openGround(options)
  try {
    for (const note of ground.notes) options.note(note)
    const { config } = ground.around.loaded
    const profiles = await ground.profiles()
    const store = await ground.resources.store()
    const before = options.resume && lastUse(store, options.resume.thread)
    const isServed = options.profile === undefined && options.serves !== undefined
    const profile = isServed
      ? profileServing(profiles, options.serves as string)
      : findProfile(profiles, options.profile ?? before?.profile ?? config.profile)
    // what is wrong is found before there is a thread
    checkToolNames(options.tools, ground.entries())
    const policy = policyOf(options, ground.around, profile)
    const ownModel = options.profile === undefined ? before?.model : undefined
    const model = await ground.model(options.model ?? ownModel ?? profile.model)
    const opened = openThread(store, ground.around.workspace, profile, model.id, options)
    const { thread, messages } = opened
    const keep = config.session?.maxSessions
    if (keep !== undefined) store.threads.trim(ground.around.workspace, keep)
    const log = recorder(store, thread, `run_${ulid()}`, (event) => {
      options.show(event)
      ground.plugins?.event(thread, event)
    })
    const caps: Caps = { ...capsOf(profile.limits), ...options.caps }
    const spending = budget(caps)
    const unanswered: UnansweredCall[] = []
    const ask = noteUnanswered(options.ask, unanswered, () => agent)
    const seat = await ground.ctx({ thread, profile, log, ask, warn: options.note })
    const hooks = await ground.hooks({ thread, warn: options.note })
    const { nextCall } = opened
    const base = { ...seat, nextCall, policy, signal: until(caps.deadline, options.signal) }
    const report = (draft: Draft) => log.append(draft)
    const permit: Permit = (about) => hooks.fire('PreCompact', about)
    const parent = { ctx: base, budget: spending, model, only: options.tools, report, permit }
    const spawn = ground.spawn(parent)
    const review = reviewer({ ...parent, ground })
    const take = (content: Content) => submit(ground, hooks, content, base.signal)
    const agent: Agent = await buildAgent({
      profile,
      model,
      tools: follow(ground.entries, () => ground.tools(profile, options.tools)),
      ctx: { ...base, can: { ...base.can, spawn, review } },
      recorder: log,
      thread,
      budget: spending,
      maxTurns: options.maxTurns ?? profile.maxTurns,
      meta: { purpose: 'work', ...(options.task !== undefined && { task: options.task }) },
      inbox: async (isIdle) => {
        if (isIdle && options.staysOpen) log.flush()
        return heard(await options.inbox(isIdle), take, options.note)
      },
      permit,
      resources: await resourcesOf(ground),
      note: options.note,
      now: new Date(),
    })
    const tools = agent.tools.map((tool) => tool.name)
    const label = options.label === undefined ? {} : { label: options.label }
    const who = { profile: profile.name, model: model.id, mode: policy.mode }
    const init = { ...who, cwd: base.cwd, tools, thread, ...label }
    await log.append({ type: 'system.init', payload: init })
    await answerOpen(opened, log)
    const source = options.resume === undefined ? 'new' : options.resume.fork ? 'fork' : 'resume'
    await hooks.fire('SessionStart', { source, profile: profile.name, model: model.id })
    const end = await begin(agent, messages, log, options.prompt, take, unanswered)
    const { text: _, ...how } = end
    await hooks.fire('SessionEnd', how)
    return { thread, end, spent: spending.spent, model: model.id, unanswered }
  } finally {
    await ground.close()
  }
}

/** Says the prompt, unless a hook refuses it, and runs to the end. */
async function begin(
  agent: Agent,
  messages: ModelMessage[],
  log: Recorder,
  prompt: Content | undefined,
  take: (content: Content) => Promise<Submitted>,
  unanswered: readonly UnansweredCall[],
): Promise<End> {
  if (prompt !== undefined) {
    const said = await take(prompt)
    if ('deny' in said) {
      const how = {
        end: 'failed',
        reason: 'denied',
        message: `a hook refused the prompt: ${said.deny}`,
        text: '',
      } as const
      await recordEnd(log, agent, how, { ms: 0, unanswered })
      return how
    }
    for (const draft of say(messages, { role: 'user', content: said.content })) await log.append(draft)
  }
  return drive(agent, messages, log, unanswered)
}

/** Resources that a model is told of; with more of them a person has to mention the one that is meant. */
const mostResources = 20

async function resourcesOf(ground: Ground): Promise<string[]> {
  const { servers } = await ground.foreign()
  const all = servers?.members.flatMap(({ server, listing }) =>
    (listing?.resources ?? []).map(({ uri, name }) => `@${server.name}:${uri} ${name}`),
  )
  return (all ?? []).slice(0, mostResources)
}

/** Aborts at the deadline too: a call or a reply that takes longer is ended, not waited for. */
function until(deadline: number | undefined, signal: AbortSignal): AbortSignal {
  if (deadline === undefined) return signal
  return AbortSignal.any([signal, timeLimit(deadline - Date.now())])
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
