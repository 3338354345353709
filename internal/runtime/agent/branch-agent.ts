// Branch agents, which continue a copy of the conversation without a separate thread.
import { recordActivity } from '../../agent/receipts.ts'
import { runAgent } from '../../agent/run-agent.ts'
import { type AgentSession, openAgentSession, type SessionRecord } from '../../agent/session.ts'
import { buildToolSpecs } from '../../agent/system-prompt.ts'
import type { EventDraft } from '../../event/event.ts'
import type { ModelMessage } from '../../model/model.ts'
import { isRead } from '../../policy/level.ts'
import type { Profile } from '../../profile/profile.ts'
import type { BranchRequest, SpawnResult } from '../../tool/agents.ts'
import { createCallNumbering } from '../../tool/call-ids.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { chooseEngineName } from '../../web/search/engine-name.ts'
import type { Runtime } from '../runtime.ts'
import { memoizeByEntries } from '../tools/tool-registry.ts'
import { describeChildEnd, narrowChildCtx } from './subagent.ts'

interface BranchParent {
  runtime: Runtime
  profile: Profile
  session: AgentSession
  report(draft: EventDraft): Promise<void>
}

/**
 * Runs a branch to its end. Returns how it ended, its last response and its actions. Never rejects for an
 * error inside the branch.
 */
export async function runBranch(
  parent: BranchParent,
  request: BranchRequest,
  signal: AbortSignal,
): Promise<SpawnResult> {
  const started = Date.now()
  const id = nextBranchId(started)
  const title = request.description.trim().split('\n', 1)[0]?.slice(0, 80) ?? ''
  await parent.report({ type: 'child.started', payload: { thread: id, title, profile: parent.profile.name } })
  const activity = recordActivity(parent.session.agent.ctx.policy.roots.workspace)
  const record = createBranchRecord(parent, { thread: id, title }, activity.add)
  const session = openBranchSession(parent, request, { id, title, record, signal })
  await session.addMessage({ role: 'user', content: branchTask(request.description), origin: 'note' })
  const end = await runAgent(session, record)
  const { spent } = session.agent.budget
  const { read, changed, commands } = activity.receipts()
  const result: SpawnResult = {
    ...describeChildEnd(end),
    thread: id,
    receipts: { read, changed, commands },
    turns: activity.turns(),
    calls: activity.calls(),
    tokens: spent.input + spent.output,
    usd: spent.usd,
    ms: Date.now() - started,
  }
  const { text: _, ...payload } = result
  // The event lists no changed files and no commands of the branch, because the thread already has them
  // as separate calls.
  const receipts = { read, changed: [], commands: [] }
  await parent.report({ type: 'child.ended', payload: { thread: id, end: { ...payload, receipts } } })
  return result
}

let lastBranch = 0

/**
 * Returns the id `branch-<ms>` with the time of the start. Two branches of one millisecond
 * get different numbers.
 */
function nextBranchId(now: number): string {
  lastBranch = Math.max(now, lastBranch + 1)
  return `branch-${lastBranch}`
}

const branchTask = (description: string) =>
  'This is a branch of the conversation: of all that follows only your last reply goes back to it. ' +
  `Find out what is asked, then reply with the conclusion alone.\n\n${description}`

interface BranchParts {
  id: string
  title: string
  record: SessionRecord
  signal: AbortSignal
}

function openBranchSession(
  parent: BranchParent,
  request: BranchRequest,
  { id, title, record, signal }: BranchParts,
): AgentSession {
  const { agent, messages } = parent.session
  const { ctx } = agent
  // branch and conversation share the entries, so a tool that the branch finds by search is available to both
  const entries = () => agent.catalog.entries
  const tools = memoizeByEntries(entries, () =>
    restrictBranchTools(agent.catalog.entries, request.allowWrites),
  )
  const specs = memoizeByEntries(tools, () =>
    buildToolSpecs(
      tools().filter(({ hidden }) => hidden === undefined),
      () => chooseEngineName(ctx.settings.web, ctx.env),
    ),
  )
  const catalog = memoizeByEntries(tools, () => parent.runtime.catalog(tools()))
  const narrowed = narrowChildCtx(ctx, parent.profile.name, !request.allowWrites)
  const nextCall = createCallNumbering(`call_b${id.slice('branch-'.length)}.`)
  const branchCtx: Ctx = {
    ...narrowed,
    signal: AbortSignal.any([signal, ctx.signal]),
    // the branch may edit files that the conversation has read, without reading them again
    seen: new Map(ctx.seen),
    agent: { ...narrowed.agent, child: title },
    gate: { ...narrowed.gate, nextCall },
    log: record,
  }
  return openAgentSession({
    model: agent.model,
    system: agent.system,
    effort: agent.effort,
    instructionTokens: agent.instructionTokens,
    cacheKey: agent.cacheKey ?? ctx.thread,
    budget: agent.budget.part({}),
    ctx: branchCtx,
    record,
    messages: messagesBeforeCall(messages),
    tools: specs,
    catalog,
    thread: ctx.thread ?? id,
    maxTurns: request.maxTurns,
    meta: { purpose: 'work', task: title },
    inbox: async () => [],
  })
}

/**
 * Returns the messages before the response whose calls are running, because those calls have no results yet;
 * all messages without a response.
 */
function messagesBeforeCall(messages: readonly ModelMessage[]): ModelMessage[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(0, last < 0 ? messages.length : last)
}

const writers: readonly string[] = ['bash', 'edit_file', 'apply_patch', 'create_file']

/**
 * Hides all tools but those that read. With `allowWrites`, `bash`, `edit_file`, `apply_patch`, `create_file`
 * and their adapters stay. Tools that start agents or are only for the main agent are always hidden.
 */
function restrictBranchTools(tools: readonly ListedTool[], allowWrites: boolean): ListedTool[] {
  return tools.map((entry) => {
    const natives = entry.natives ?? [entry.name]
    const writes = allowWrites && natives.some((name) => writers.includes(name))
    const isOffered = isRead(entry.level) || (writes && natives.every((name) => writers.includes(name)))
    if (entry.hidden !== undefined || (isOffered && !entry.spawns && !entry.mainOnly)) return entry
    const hidden = entry.spawns ? 'a branch cannot start agents' : 'a branch is not offered it'
    return { ...entry, hidden }
  })
}

/**
 * Returns a record that stores calls with side effects and their results, approvals, written files and usage
 * in the thread of the parent. It drops all other events.
 */
function createBranchRecord(
  parent: BranchParent,
  { thread, title }: { thread: string; title: string },
  add: (draft: EventDraft) => void,
): SessionRecord {
  const { log } = parent.session.agent.ctx
  const effects = new Set<string>()
  return {
    flush: () => undefined,
    flushOverdue: () => undefined,
    keep: (call, content) => log.keep(call, content),
    async append(draft) {
      add(draft)
      switch (draft.type) {
        case 'tool.call':
          if (draft.payload.effect === 'read') return
          effects.add(draft.payload.call)
          return parent.report({ ...draft, payload: { ...draft.payload, by: 'branch' } })
        case 'tool.result':
          if (!effects.has(draft.payload.call)) return
          return parent.report({ ...draft, payload: { ...draft.payload, by: 'branch' } })
        case 'permission.asked':
        case 'permission.decided': {
          const { type, payload } = draft
          return parent.report({ type, payload: { ...payload, thread, child: title } } as EventDraft)
        }
        case 'file.written':
        case 'usage':
          return parent.report(draft)
      }
    },
  }
}
