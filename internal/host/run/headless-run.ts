// One headless run of an agent: opens or resumes a thread, drives the loop, reports every event.

import { type BudgetCaps, type BudgetSpending, createBudget } from '../../agent/budget.ts'
import type { CompactionPermit } from '../../agent/compact.ts'
import type { Agent } from '../../agent/loop.ts'
import { appendUserMessage } from '../../agent/messages.ts'
import { createRecorder, type ThreadRecorder } from '../../agent/recorder.ts'
import { recordEnd, runAgent } from '../../agent/run-agent.ts'
import type { RunEnd } from '../../agent/run-end.ts'
import type { UnansweredCall } from '../../agent/unanswered-calls.ts'
import { createUlid } from '../../base/ids.ts'
import { timeLimit } from '../../base/time-limit.ts'
import type { EventDraft } from '../../event/event.ts'
import type { MessageContent, ModelMessage } from '../../model/model.ts'
import { findProfile, findProfileServing } from '../../profile/profile-lookup.ts'
import { buildAgent } from '../agent-setup.ts'
import { filterInboxMessages, preparePrompt, type SubmittedPrompt } from '../prompt-input.ts'
import { createReviewer } from '../review/reviewer.ts'
import { openRuntime, type Runtime } from '../runtime.ts'
import { buildPolicy } from '../session-policy.ts'
import { checkToolNames, memoizeByEntries } from '../tool-registry.ts'
import type { RunOptions } from './run-options.ts'
import { answerOpenCalls, findLastUse, openThread } from './run-thread.ts'
import { recordUnanswered } from './unanswered-calls.ts'

export interface HeadlessRunResult {
  thread: string
  end: RunEnd
  spent: BudgetSpending
  model: string
  /** Calls that were denied because nobody could answer. */
  unanswered: readonly UnansweredCall[]
}

/** Throws UserError before anything has run: configuration, profile, model, thread. */
export async function runHeadless(options: RunOptions): Promise<HeadlessRunResult> {
  const runtime = await openRuntime(options)
  try {
    for (const note of runtime.notes) options.note(note)
    const { config } = runtime.context.loaded
    const profiles = await runtime.profiles()
    const store = await runtime.resources.store()
    const before = options.resume && findLastUse(store, options.resume.thread)
    const isServed = options.profile === undefined && options.serves !== undefined
    const profile = isServed
      ? findProfileServing(profiles, options.serves as string)
      : findProfile(profiles, options.profile ?? before?.profile ?? config.profile)
    // what is wrong is found before there is a thread
    checkToolNames(options.tools, runtime.entries())
    const policy = buildPolicy(options, runtime.context, profile)
    const ownModel = options.profile === undefined ? before?.model : undefined
    const model = await runtime.model(options.model ?? ownModel ?? profile.model)
    const opened = openThread(store, runtime.context.workspace, profile, model.id, options)
    const { thread, messages } = opened
    const keep = config.session?.maxSessions
    if (keep !== undefined) store.threads.trim(runtime.context.workspace, keep)
    const log = createRecorder(store, thread, `run_${createUlid()}`, (event) => {
      options.show(event)
      runtime.plugins?.event(thread, event)
    })
    const caps: BudgetCaps = { ...capsOf(profile.limits), ...options.caps }
    const spending = createBudget(caps)
    const unanswered: UnansweredCall[] = []
    const ask = recordUnanswered(options.ask, unanswered, () => agent)
    const ctx = await runtime.ctx({ thread, profile, log, ask, warn: options.note })
    const hooks = await runtime.hooks({ thread, warn: options.note })
    const { nextCall } = opened
    const base = { ...ctx, nextCall, policy, signal: until(caps.deadline, options.signal) }
    const report = (draft: EventDraft) => log.append(draft)
    const permit: CompactionPermit = (about) => hooks.fire('PreCompact', about)
    const parent = { ctx: base, budget: spending, model, only: options.tools, report, permit }
    const spawn = runtime.spawn(parent)
    const review = createReviewer({ ...parent, runtime })
    const take = (content: MessageContent) => preparePrompt(runtime, hooks, content, base.signal)
    const agent: Agent = await buildAgent({
      profile,
      model,
      tools: memoizeByEntries(runtime.entries, () => runtime.tools(profile, options.tools)),
      ctx: { ...base, can: { ...base.can, spawn, review } },
      recorder: log,
      thread,
      budget: spending,
      maxTurns: options.maxTurns ?? profile.maxTurns,
      meta: { purpose: 'work', ...(options.task !== undefined && { task: options.task }) },
      inbox: async (isIdle) => {
        if (isIdle && options.staysOpen) log.flush()
        return filterInboxMessages(await options.inbox(isIdle), take, options.note)
      },
      permit,
      resources: await resourcesOf(runtime),
      note: options.note,
      now: new Date(),
    })
    const tools = agent.tools.map((tool) => tool.name)
    const label = options.label === undefined ? {} : { label: options.label }
    const who = { profile: profile.name, model: model.id, mode: policy.mode }
    const init = { ...who, cwd: base.cwd, tools, thread, ...label }
    await log.append({ type: 'system.init', payload: init })
    await answerOpenCalls(opened, log)
    const source = options.resume === undefined ? 'new' : options.resume.fork ? 'fork' : 'resume'
    await hooks.fire('SessionStart', { source, profile: profile.name, model: model.id })
    const end = await beginRun(agent, messages, log, options.prompt, take, unanswered)
    const { text: _, ...how } = end
    await hooks.fire('SessionEnd', how)
    return { thread, end, spent: spending.spent, model: model.id, unanswered }
  } finally {
    await runtime.close()
  }
}

/** Says the prompt, unless a hook refuses it, and runs to the end. */
async function beginRun(
  agent: Agent,
  messages: ModelMessage[],
  log: ThreadRecorder,
  prompt: MessageContent | undefined,
  take: (content: MessageContent) => Promise<SubmittedPrompt>,
  unanswered: readonly UnansweredCall[],
): Promise<RunEnd> {
  if (prompt !== undefined) {
    const submitted = await take(prompt)
    if ('deny' in submitted) {
      const how = {
        end: 'failed',
        reason: 'denied',
        message: `a hook refused the prompt: ${submitted.deny}`,
        text: '',
      } as const
      await recordEnd(log, agent, how, { ms: 0, unanswered })
      return how
    }
    for (const draft of appendUserMessage(messages, { role: 'user', content: submitted.content }))
      await log.append(draft)
  }
  return runAgent(agent, messages, log, unanswered)
}

/** Resources that a model is told of; with more of them a person has to mention the one that is meant. */
const maxListedResources = 20

async function resourcesOf(runtime: Runtime): Promise<string[]> {
  const { servers } = await runtime.foreign()
  const all = servers?.members.flatMap(({ server, listing }) =>
    (listing?.resources ?? []).map(({ uri, name }) => `@${server.name}:${uri} ${name}`),
  )
  return (all ?? []).slice(0, maxListedResources)
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
