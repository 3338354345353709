// One headless run of an agent: opens or resumes a thread, runs a session over it, reports every event.

import { type BudgetCaps, type BudgetSpending, createBudget } from '../../agent/budget.ts'
import type { CompactionPermit } from '../../agent/compaction.ts'
import { createRecorder } from '../../agent/recorder.ts'
import { recordEnd, runAgent } from '../../agent/run-agent.ts'
import type { RunEnd } from '../../agent/run-end.ts'
import type { AgentSession, SessionRecord } from '../../agent/session.ts'
import type { UnansweredCall } from '../../agent/unanswered-calls.ts'
import { defined } from '../../base/defined.ts'
import { createUlid } from '../../base/ids.ts'
import { timeLimit } from '../../base/time-limit.ts'
import type { EventDraft } from '../../event/event.ts'
import type { SessionHooks } from '../../hook/hook-runner.ts'
import type { MessageContent, Model } from '../../model/model.ts'
import type { Profile } from '../../profile/profile.ts'
import { findProfile, findProfileServing } from '../../profile/profile-lookup.ts'
import type { Store } from '../../store/store.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { setUpSession } from '../agent-setup.ts'
import { filterInboxMessages, preparePrompt, type SubmittedPrompt } from '../prompt-input.ts'
import { createReviewer } from '../review/reviewer.ts'
import { openRuntime, type Runtime } from '../runtime.ts'
import { buildPolicy } from '../session-policy.ts'
import { checkToolNames, memoizeByEntries } from '../tool-registry.ts'
import type { RunOptions } from './run-options.ts'
import { answerOpenCalls, findLastUse, type OpenedThread, openThread } from './run-thread.ts'
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
    const store = await runtime.resources.store()
    const { profile, model } = await chooseAgent(runtime, store, options)
    return await runThread(runtime, store, profile, model, options)
  } finally {
    await runtime.close()
  }
}

/** Profile and model: as asked, else as the resumed thread last used them, else as configured. */
async function chooseAgent(
  runtime: Runtime,
  store: Store,
  options: RunOptions,
): Promise<{ profile: Profile; model: Model }> {
  const profiles = await runtime.profiles()
  const before = options.resume && findLastUse(store, options.resume.thread)
  const profile =
    options.profile === undefined && options.serves !== undefined
      ? findProfileServing(profiles, options.serves)
      : findProfile(profiles, options.profile ?? before?.profile ?? runtime.context.loaded.config.profile)
  // what is wrong is found before there is a thread
  checkToolNames(options.tools, runtime.entries())
  buildPolicy(options, runtime.context, profile)
  const ownModel = options.profile === undefined ? before?.model : undefined
  const permit = await permitQuoting(options)
  const spec = options.model ?? ownModel ?? profile.model
  const model = await runtime.model(spec, permit, options.isSwitchBarred)
  // a thread that went on without a model because it asked for quotations was not given one for orders
  const isNamed = (options.model ?? profile.model ?? runtime.context.loaded.config.model) !== undefined
  if (model.kind === 'rules' && !isNamed && !permit)
    throw (await import('../../model/model-choice.ts')).noModel()
  return { profile, model }
}

/**
 * Where nobody has named a model: whether one that only searches and quotes may take the task. Messages that
 * are still to come can be anything.
 */
async function permitQuoting({
  prompt,
  staysOpen,
  note,
}: RunOptions): Promise<((text: string) => void) | undefined> {
  if (prompt === undefined) return note
  if (staysOpen || typeof prompt !== 'string') return undefined
  const { isWorkspaceQuestion } = await import('../../text-analysis/workspace-question.ts')
  return isWorkspaceQuestion(prompt) ? note : undefined
}

async function runThread(
  runtime: Runtime,
  store: Store,
  profile: Profile,
  model: Model,
  options: RunOptions,
): Promise<HeadlessRunResult> {
  const { workspace, loaded } = runtime.context
  const opened = openThread(store, workspace, profile, model.id, options)
  const { thread } = opened
  const maxSessions = loaded.config.session?.maxSessions
  if (maxSessions !== undefined) store.threads.trim(workspace, maxSessions)
  const record = createRecorder(store, thread, `run_${createUlid()}`, (event) => {
    options.show(event)
    runtime.plugins?.event(thread, event)
  })
  const unanswered: UnansweredCall[] = []
  const ask = recordUnanswered(options.ask, unanswered, () => session.agent)
  const ctx = await runtime.ctx({ thread, profile, log: record, ask, warn: options.note })
  const hooks = await runtime.hooks({ thread, warn: options.note })
  const session = await openRunSession({ runtime, options, profile, model, opened, record, ctx, hooks })
  const { agent } = session
  const tools = agent.tools.map((tool) => tool.name)
  const label = options.label === undefined ? {} : { label: options.label }
  const who = { profile: profile.name, model: model.id, mode: ctx.policy.mode }
  await record.append({ type: 'system.init', payload: { ...who, cwd: ctx.cwd, tools, thread, ...label } })
  await answerOpenCalls(opened, record)
  const source = options.resume === undefined ? 'new' : options.resume.fork ? 'fork' : 'resume'
  await hooks.fire('SessionStart', { source, profile: profile.name, model: model.id })
  const take = (content: MessageContent) => preparePrompt(runtime, hooks, content, agent.ctx.signal)
  const end = await beginRun(session, record, options.prompt, take, unanswered)
  const { text: _, ...how } = end
  await hooks.fire('SessionEnd', how)
  return { thread, end, spent: agent.budget.spent, model: model.id, unanswered }
}

interface RunParts {
  runtime: Runtime
  options: RunOptions
  profile: Profile
  model: Model
  opened: OpenedThread
  record: SessionRecord
  ctx: Ctx
  hooks: SessionHooks
}

/** The session of a run: it may start children and reviews, which share its budget. */
async function openRunSession(parts: RunParts): Promise<AgentSession> {
  const { runtime, options, profile, model, opened, record, hooks } = parts
  const caps: BudgetCaps = { ...capsOf(profile.limits), ...options.caps }
  const budget = createBudget(caps)
  const ctx: Ctx = { ...parts.ctx, nextCall: opened.nextCall, signal: until(caps.deadline, options.signal) }
  const permit: CompactionPermit = (about) => hooks.fire('PreCompact', about)
  const report = (draft: EventDraft) => record.append(draft)
  const parent = { ctx, budget, model, only: options.tools, report, permit }
  const spawn = runtime.spawn(parent)
  const review = createReviewer({ ...parent, runtime })
  const take = (content: MessageContent) => preparePrompt(runtime, hooks, content, ctx.signal)
  return setUpSession({
    profile,
    model,
    tools: memoizeByEntries(runtime.entries, () => runtime.tools(profile, options.tools)),
    ctx: { ...ctx, can: { ...ctx.can, spawn, review } },
    record,
    messages: opened.messages,
    thread: opened.thread,
    budget,
    maxTurns: options.maxTurns ?? profile.maxTurns,
    meta: { purpose: 'work', ...(options.task !== undefined && { task: options.task }) },
    inbox: async (isIdle) => {
      if (isIdle && options.staysOpen) record.flush()
      return filterInboxMessages(await options.inbox(isIdle), take, options.note)
    },
    permit,
    resources: await resourcesOf(runtime),
    note: options.note,
    now: new Date(),
  })
}

/** Says the prompt, unless a hook refuses it, and runs to the end. */
async function beginRun(
  session: AgentSession,
  record: SessionRecord,
  prompt: MessageContent | undefined,
  take: (content: MessageContent) => Promise<SubmittedPrompt>,
  unanswered: readonly UnansweredCall[],
): Promise<RunEnd> {
  if (prompt !== undefined) {
    const submitted = await take(prompt)
    if ('deny' in submitted) {
      const message = `a hook refused the prompt: ${submitted.deny}`
      const end: RunEnd = { end: 'failed', reason: 'denied', message, text: '' }
      await recordEnd(session, record, end, { ms: 0, unanswered })
      return end
    }
    await session.addMessage({ role: 'user', content: submitted.content })
  }
  return runAgent(session, record, unanswered)
}

/** Resources that a model is shown; with more of them a person has to mention the one that is meant. */
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
    ...defined({ tokens: limits.tokens, usd: limits.usd }),
  }
}
