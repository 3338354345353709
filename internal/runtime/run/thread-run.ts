// One run on an open thread: sets up the agent session, adds the prompt, and runs to the end.
import { type Budget, type BudgetSpending, capsOf, createBudget, untilDeadline } from '../../agent/budget.ts'
import type { CompactionPermit } from '../../agent/compaction.ts'
import { type ActivityRecord, noticeObeyed, recordActivity } from '../../agent/receipts.ts'
import { recordEnd, runAgent } from '../../agent/run-agent.ts'
import type { RunEnd } from '../../agent/run-end.ts'
import type { AgentSession, SessionRecord } from '../../agent/session.ts'
import type { RunProof, StopGate } from '../../agent/stop-gate.ts'
import { measureContext } from '../../agent/system-prompt.ts'
import type { UnansweredCall } from '../../agent/unanswered-calls.ts'
import type { EventDraft } from '../../event/event.ts'
import type { SessionHooks } from '../../hook/hook-runner.ts'
import type { MessageContent, Model } from '../../model/model.ts'
import type { PathRoots } from '../../policy/policy.ts'
import { readGitBranch } from '../../process/git/git-layout.ts'
import type { Profile } from '../../profile/profile.ts'
import { limitApprovalWait, usualWaitSeconds } from '../../relay/wait-limit.ts'
import type { BranchRunner } from '../../tool/agents.ts'
import type { ApprovalRequest } from '../../tool/ask.ts'
import type { ApprovalHandler, Ctx } from '../../tool/ctx.ts'
import type { SessionJobs } from '../../tool/jobs.ts'
import { setUpSession } from '../agent/agent-setup.ts'
import {
  filterInboxMessages,
  noteMessage,
  planNote,
  preparePrompt,
  type SubmittedPrompt,
} from '../agent/prompt-input.ts'
import { type SessionPlanning, withPlanning } from '../agent/session-planning.ts'
import { type LateServers, listServerResources, maxListedResources } from '../extensions/late-servers.ts'
import type { Runtime } from '../runtime.ts'
import { memoizeByEntries } from '../tools/tool-registry.ts'
import type { RunClient, RunOptions } from './run-options.ts'
import { answerOpenCalls, claimThread, type OpenedThread } from './run-thread.ts'
import { openStopGate, type RunGate } from './stop-gate.ts'
import { createUnansweredCalls, type UnansweredCalls } from './unanswered-calls.ts'

export interface ThreadRunOptions
  extends RunClient,
    Pick<
      RunOptions,
      'prompt' | 'isProgramPrompt' | 'tools' | 'caps' | 'maxTurns' | 'label' | 'task' | 'signal' | 'goal'
    > {
  runtime: Runtime
  profile: Profile
  model: Model
  /** The open thread. Its conversation grows with the run, and the next run continues with it. */
  opened: OpenedThread
  record: SessionRecord
  /** How the session started; undefined if it continues. */
  start?: 'new' | 'resume' | 'fork'
  planning: SessionPlanning
  /** Background commands that continue after the run. Default: they end with the run. */
  jobs?: SessionJobs
  /** Number of model responses in earlier runs of the thread, if the model is to see the total. */
  taken?: number
  /** Budget of a larger task, to which the spending of this run also counts. */
  within?: Budget
  /** Returns the context for calls with limits in addition to those of the configuration. */
  adaptCtx?(ctx: Ctx): Ctx
}

interface ThreadRunResult {
  end: RunEnd
  spent: BudgetSpending
  /** Calls that were denied because no user could answer. */
  unanswered: readonly UnansweredCall[]
  /** True if a call was denied and no later call had its effect, such as a written file. */
  isMissing: boolean
  /** Result of the check, for a run that has one. */
  proof?: RunProof
  /** Changed files that agents read as instructions, or that programs obey later. */
  obeyed?: readonly string[]
}

/** Runs on the thread to the end of the run. Throws UserError as `claimThread` and `openStopGate` do. */
export async function runOnThread(options: ThreadRunOptions): Promise<ThreadRunResult> {
  const { profile, model, opened, start, label, runtime } = options
  const { thread } = opened
  const unanswered = createUnansweredCalls()
  let activity: ActivityRecord | undefined
  let roots: PathRoots | undefined
  let observe: StopGate['observe'] | undefined
  const record: SessionRecord = {
    ...options.record,
    append: async (draft) => {
      unanswered.observe(draft)
      observe?.(draft)
      activity?.add(draft)
      const notices = activity ? noticeObeyed(draft, activity, runtime.resources.background.watch, roots) : []
      for (const notice of notices) await options.record.append(notice)
      await options.record.append(draft)
    },
  }
  const giveBack = await claimThread(runtime.context.data, thread)
  try {
    let gate: RunGate | undefined
    const openGate = async (ctx: Ctx, hooks: SessionHooks) => {
      gate = await openStopGate({ ...options, thread }, ctx, hooks)
      return gate
    }
    const { session, ctx, hooks, take } = await openThreadRun({ ...options, record }, unanswered, openGate)
    observe = (draft) => gate?.observe(draft)
    roots = ctx.policy.roots
    activity = recordActivity(roots.workspace, roots.instructions)
    const tools = session.agent.tools.map((tool) => tool.name)
    const who = {
      profile: profile.name,
      model: model.id,
      mode: ctx.policy.mode,
      profile_name: profile.name,
      active_model: model.id,
      permission: ctx.policy.mode,
      web_enabled: ctx.settings.web.enabled,
      toolset: runtime.toolset?.name,
    }
    const context = measureContext(session.agent, runtime.entries())
    const branch = readGitBranch(ctx.cwd)
    const where = { cwd: ctx.cwd, tools, thread, label, branch, context }
    await record.append({ type: 'system.init', status: 'started', payload: { ...who, ...where } })
    await gate?.announce()
    await answerOpenCalls(opened, record)
    delete opened.openReply
    if (start) await hooks.fire('SessionStart', { source: start, profile: profile.name, model: model.id })
    const end = await beginRun(session, record, options.prompt, take, unanswered)
    const { list, isMissing } = unanswered
    const { obeyed } = activity.receipts()
    const { spent } = session.agent.budget
    return { end, spent, unanswered: list, isMissing: isMissing(), obeyed, proof: gate?.proof() }
  } finally {
    giveBack()
  }
}

/** Tools that are offered if a run starts with a plan. */
const planTools = ['plan_enter', 'plan_exit']

interface OpenedRun {
  session: AgentSession
  ctx: Ctx
  hooks: SessionHooks
  /** Expands a user message, or returns the reason why a hook refuses it. */
  take(content: MessageContent): Promise<SubmittedPrompt>
}

/** Opens the session of a run. Its subagents and reviews share its budget. */
export async function openThreadRun(
  options: ThreadRunOptions,
  unanswered: UnansweredCalls = createUnansweredCalls(),
  openGate?: (ctx: Ctx, hooks: SessionHooks) => Promise<StopGate | undefined>,
): Promise<OpenedRun> {
  const { runtime, profile, model, opened, record, note } = options
  const { thread } = opened
  const ask = unanswered.watch(await approversOf(options), () => session.agent)
  const caps = capsOf(options.caps, profile.limits)
  const signal = untilDeadline(caps.deadline, options.signal)
  const baseCtx = await runtime.ctx({ thread, profile, log: record, ask, warn: note, signal })
  const hooks = await runtime.hooks({ thread, warn: note, signal })
  const budget = options.within?.part(caps) ?? createBudget(caps)
  const reviewer = await reviewerOf(options, () => budget)
  const gate = { ...baseCtx.gate, nextCall: opened.nextCall, reviewer }
  const runCtx: Ctx = { ...baseCtx, seen: opened.seen, gate, signal }
  const ctx = options.adaptCtx?.(runCtx) ?? runCtx
  const permit: CompactionPermit = (about) => hooks.fire('PreCompact', about)
  const report = (draft: EventDraft) => record.append(draft)
  const { planning } = options
  const parent = { ctx: withPlanning(ctx, planning), budget, model, only: options.tools, report, permit }
  const tools = memoizeByEntries(runtime.entries, () =>
    runtime.tools(profile, options.tools, false, planning.active() === undefined ? [] : planTools),
  )
  const branch: BranchRunner = async (request, signal) => {
    const { runBranch } = await import('../agent/branch-agent.ts')
    return runBranch({ runtime, profile, session, report }, request, signal)
  }
  const agents = { spawn: runtime.spawn(parent), review: runtime.review(parent), branch }
  const reader = options.isProgramPrompt ? withoutUrls(ctx) : ctx
  const take = (content: MessageContent) => preparePrompt(runtime, hooks, content, { ctx: reader, model })
  const session = await setUpSession({
    runtime,
    profile,
    model,
    ctx: { ...ctx, can: { ...ctx.can, agents } },
    record,
    budget,
    permit,
    note,
    now: new Date(),
    tools,
    planning,
    jobs: options.jobs,
    interruption: options.interruption,
    gate: await openGate?.(ctx, hooks),
    openReply: replyOf(opened),
    messages: opened.messages,
    loadedTools: opened.loadedTools,
    thread,
    maxTurns: options.maxTurns ?? profile.maxTurns,
    meta: { purpose: 'work', task: options.task, taken: options.taken },
    inbox: async (isIdle) => {
      if (isIdle && options.staysOpen) record.flush()
      return filterInboxMessages(await options.inbox(isIdle), take, note)
    },
    resources: resourcesOf(runtime, opened.loadedTools.late),
  })
  return { session, ctx, hooks, take }
}

/**
 * Returns the context without known URLs, because URLs in a prompt of the program do not count as URLs
 * of the user.
 */
const withoutUrls = (ctx: Ctx): Ctx => ({ ...ctx, gate: { ...ctx.gate, urls: undefined } })

/**
 * Returns a response with the calls that an interrupted response still has to run; undefined without them.
 */
const replyOf = ({ openReply }: OpenedThread) =>
  openReply && {
    text: '',
    calls: [...openReply],
    end: 'calls' as const,
    usage: undefined,
    failure: undefined,
    carry: undefined,
  }

// loaded on demand, because only some configurations have a relay or a reviewer
const loadApprovers = () => import('../relay/session-approvers.ts')

/**
 * Returns the approval handler that asks the local user and, if configured, the relay. It calls
 * `onUnanswered` for each call that stays unanswered.
 */
async function approversOf({ runtime, ask, onUnanswered, note }: ThreadRunOptions): Promise<ApprovalHandler> {
  const waitSeconds = runtime.context.loaded.config.approvals?.wait
  const { relay } = runtime.resources
  const all = relay
    ? (await loadApprovers()).joinApprovers(ask, { relay, waitSeconds }, note)
    : (request: ApprovalRequest) => limitApprovalWait(ask, waitSeconds ?? usualWaitSeconds)(request)
  return async (request) => {
    const reply = await all(request)
    if (reply.unanswered) onUnanswered?.()
    return reply
  }
}

/** Returns the reviewer of approvals that the user configured, if any. */
const reviewerOf = async (options: ThreadRunOptions, budget: () => Budget) =>
  options.runtime.context.loaded.config.approvals?.reviewer &&
  (await loadApprovers()).openReviewer(options, budget)

/**
 * Adds the prompt and runs to the end. If a hook refuses the prompt, the run ends before the first request:
 * as failed, or as cancelled if the signal has aborted.
 */
async function beginRun(
  session: AgentSession,
  record: SessionRecord,
  prompt: MessageContent | undefined,
  take: (content: MessageContent) => Promise<SubmittedPrompt>,
  unanswered: UnansweredCalls,
): Promise<RunEnd> {
  if (prompt !== undefined) {
    const submitted = await take(prompt)
    if ('deny' in submitted) {
      const message = `a hook refused the prompt: ${submitted.deny}`
      const end: RunEnd = session.agent.ctx.signal.aborted
        ? { end: 'cancelled', reason: 'interrupted', text: '' }
        : { end: 'failed', reason: 'denied', message, text: '' }
      await recordEnd(session, record, end, { ms: 0, unanswered: unanswered.list })
      return end
    }
    const { notes, ...message } = submitted
    for (const note of notes) await session.addMessage(noteMessage(note))
    await session.addMessage({ role: 'user', ...message })
    const plan = session.agent.ctx.can.plan?.active()
    if (plan !== undefined) await session.addMessage(planNote(plan, session.agent.catalog.entries))
  }
  return runAgent(session, record, unanswered)
}

/** Returns at most 20 resources of the open servers, except servers that a message announces to the model. */
function resourcesOf({ foreign }: Runtime, late: LateServers | undefined): string[] {
  const members = foreign.opened?.servers?.members ?? []
  const all = members.filter(({ server }) => !late?.all.has(server.name)).flatMap(listServerResources)
  return all.slice(0, maxListedResources)
}
