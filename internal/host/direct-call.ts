// A session for direct calls: a person is the agent, the flags are the approval.
import type { EventDraft } from '../event/event.ts'
import type { PermissionDecision, Policy } from '../policy/decide.ts'
import type { Profile } from '../profile/profile.ts'
import { findProfile } from '../profile/profile-lookup.ts'
import { warnUnmatchedTools } from '../profile/tool-filter.ts'
import { type Catalog, createCatalog, type ToolEntry } from '../tool/catalog.ts'
import type { ApprovalHandler, Ctx } from '../tool/ctx.ts'
import { type CallRequest, type CallResult, invoke } from '../tool/invoke.ts'
import { failedResult } from '../tool/result.ts'
import { openDirectCallLog } from './direct-call-log.ts'
import { createReviewer } from './review/reviewer.ts'
import { openRuntime, type RuntimeOptions } from './runtime.ts'
import { memoizeByEntries } from './tool-registry.ts'

export interface DirectCallOptions extends RuntimeOptions {
  /** Absent: the whole registry rather than what one profile may call. */
  profile?: string
  /** `flag`: the person approved everything that is not denied by typing a flag. */
  approval: 'none' | 'flag'
  /** Calls that do more than read ask, whatever the mode allows. */
  onlyReads?: boolean
  record: 'changes' | 'always'
  /** One call and no more. */
  single?: boolean
}

export interface DirectCallSession {
  readonly ctx: Ctx
  readonly catalog: Catalog
  readonly profile: Profile | undefined
  /** What the person should know: ignored files, names that match nothing. */
  readonly notes: readonly string[]
  /** Runs one call; rejects only when it cannot be recorded. */
  call(request: CallRequest): Promise<CallResult>
  /**
   * How a call of that agent would be decided, with the reasons as lines; runs nothing. Throws as
   * `authorizeRaw`.
   */
  explain(entry: ToolEntry, args: unknown, agent: Policy['agent']): Promise<CallExplanation>
  close(): Promise<void>
}

interface CallExplanation {
  decision: PermissionDecision
  lines: string[]
}

/** The result for what was to be a call and is none. */
export function unreadableCall(why: string): CallResult {
  return { ...failedResult('bad_args', why), call: '', tool: '', ms: 0 }
}

export async function openDirectCalls(options: DirectCallOptions): Promise<DirectCallSession> {
  const runtime = await openRuntime(options)
  try {
    const profile =
      options.profile === undefined ? undefined : findProfile(await runtime.profiles(), options.profile)
    const { workspace } = runtime.context
    const log = openDirectCallLog({
      store: runtime.resources.store,
      workspace,
      profile: profile?.name ?? '',
      record: options.record,
    })
    const notes = [...runtime.notes]
    const request = {
      thread: undefined,
      profile,
      single: options.single ?? false,
      log,
      ask: answerByFlag(options),
      warn: (text: string) => notes.push(text),
    }
    const opened = await runtime.ctx(request)
    const ctx = { ...opened, policy: policyFor(options, opened.policy) }
    const parent = { ctx, report: (draft: EventDraft) => log.append(draft) }
    const can = { spawn: runtime.spawn(parent), review: createReviewer({ ...parent, runtime }) }
    const names = runtime.entries().map(({ name }) => name)
    // names cannot be said to match nothing when only some tools were looked for
    const warning = profile && options.names === undefined ? warnUnmatchedTools(profile, names) : undefined
    const tools = memoizeByEntries(runtime.entries, () => createCatalog(runtime.tools(profile)))
    if (warning !== undefined) notes.push(warning)
    const callCtx = { ...ctx, can: { ...ctx.can, ...can } }
    return {
      ctx: callCtx,
      get catalog() {
        return tools()
      },
      profile,
      notes,
      call: (request) => invoke(tools(), callCtx, request),
      explain: (entry, args, agent) =>
        explainCall(entry, args, { ...callCtx, policy: { ...callCtx.policy, agent } }),
      close: () => runtime.close(),
    }
  } catch (error) {
    await runtime.close()
    throw error
  }
}

async function explainCall(entry: ToolEntry, args: unknown, ctx: Ctx): Promise<CallExplanation> {
  const { authorizeRaw } = await import('../tool/authorize.ts')
  const { explainDecision } = await import('../policy/decision-explanation.ts')
  const decision = await authorizeRaw(await entry.load(), args, ctx)
  return { decision, lines: explainDecision(decision) }
}

/**
 * Where only what reads may run unasked, everything that changes state wants an answer, Anode's own state
 * too.
 */
function policyFor({ onlyReads }: DirectCallOptions, policy: Policy): Policy {
  return onlyReads !== true || policy.preset === 'strict' ? policy : { ...policy, preset: 'careful' }
}

/** Direct calls are approved by the flag or not at all; nothing here ever waits. */
function answerByFlag(options: DirectCallOptions): ApprovalHandler {
  if (options.approval === 'flag') return async () => ({ allow: true, why: '--allow-non-read' })
  return async () => ({ allow: false, why: 'to run it anyway, add --allow-non-read' })
}
