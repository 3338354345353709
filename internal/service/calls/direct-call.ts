// Session for direct calls: the user or a client calls tools without an agent, and flags replace approvals.

import { createId } from '../../base/ids.ts'
import type { EventDraft } from '../../event/event.ts'
import type { Policy } from '../../policy/decide.ts'
import type { Profile } from '../../profile/profile.ts'
import { openRuntime } from '../../runtime/open-runtime.ts'
import type { AskingOptions } from '../../runtime/relay/joined-answerers.ts'
import type { RuntimeOptions } from '../../runtime/runtime.ts'
import { memoizeByEntries, restrictTools } from '../../runtime/tools/tool-registry.ts'
import type { Store } from '../../store/store.ts'
import type { Catalog, ToolEntry } from '../../tool/catalog.ts'
import type { ApprovalHandler, CallLog, Capabilities, Ctx } from '../../tool/ctx.ts'
import { type CallRequest, type CallResult, invoke } from '../../tool/invoke.ts'
import { features } from '../features/index.ts'
import type { CallExplanation } from './explained-call.ts'

const loadNamed = () => import('./named-profile.ts')
const loadExplained = () => import('./explained-call.ts')

export interface DirectCallOptions extends Omit<RuntimeOptions, 'features'> {
  /** Profile whose tools may be called. Default: the tools of the whole registry. */
  profile?: string
  /** Names and globs of the only tools that may be called. Default: all. */
  only?: readonly string[]
  /**
   * `flag`: with a flag, the user approved every call that no rule denies. `none`: calls that need
   * approval are denied.
   */
  approval: 'none' | 'flag'
  /** True if each call that does more than read needs approval, even in modes that usually allow it. */
  onlyReads?: boolean
  record: 'changes' | 'always'
  /** Whether the user typed each call on the command line, rather than a model or a client. */
  isTyped?: boolean
  /** Whether the session runs only one call. */
  single?: boolean
}

export interface DirectCallSession {
  readonly ctx: Ctx
  readonly catalog: Catalog
  readonly profile: Profile | undefined
  /** Remote approval, and how long to wait for it, for callers that ask the user. */
  readonly asking: AskingOptions
  /** Notices for the user, for example about skipped files or patterns that match no tool. */
  readonly notes: readonly string[]
  /** Runs one call. Rejects only if the call cannot be recorded. */
  call(request: CallRequest): Promise<CallResult>
  /**
   * Returns how the policy decides a call by `agent`, with the reasons as lines. Does not run the call.
   * `name` is the name in the call, if it is another program's name for the tool. Throws UserError for
   * arguments that do not fit the tool.
   */
  explain(entry: ToolEntry, args: unknown, agent: Policy['agent'], name?: string): Promise<CallExplanation>
  close(): Promise<void>
}

/**
 * Opens a session that runs commands of a check or a build in `cwd`. Calls that need approval are denied.
 */
export const openCommandCalls = (
  place: Pick<DirectCallOptions, 'cwd' | 'env' | 'signal' | 'sandbox' | 'sandboxMemory' | 'childOwner'>,
): Promise<DirectCallSession> =>
  openDirectCalls({
    ...place,
    mode: 'ask',
    addDirs: [],
    terminal: undefined,
    approval: 'none',
    record: 'changes',
    names: ['bash'],
    single: true,
  })

export async function openDirectCalls(options: DirectCallOptions): Promise<DirectCallSession> {
  const runtime = await openRuntime({ ...options, features })
  try {
    const { profile: choice } = options
    const profile = choice === undefined ? undefined : await (await loadNamed()).findNamed(runtime, choice)
    const { workspace, loaded } = runtime.context
    const name = options.toolset?.name ?? profile?.toolset ?? loaded.config.toolset
    await runtime.openToolset({ ...options.toolset, name })
    const { store } = runtime.resources
    const log = openDirectCallLog({ store, workspace, profile: profile?.name ?? '', record: options.record })
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
    const ctx: Ctx = {
      ...opened,
      policy: policyFor(options, opened.policy),
      gate: { ...opened.gate, isTyped: options.isTyped ?? false },
    }
    if (!options.single) await noteIncludedFiles(ctx)
    const parent = { ctx, report: (draft: EventDraft) => log.append(draft) }
    const processes = options.single ? ctx.can.processes : await withJobs(ctx.can.processes, log)
    const agents = { spawn: runtime.spawn(parent), review: features.review({ ...parent, runtime }) }
    // if only some tools were loaded, names without a match cannot be detected, so no warning is given
    const warning =
      profile && options.names === undefined
        ? await (await loadNamed()).warnUnmatched(runtime, profile)
        : undefined
    const tools = memoizeByEntries(runtime.entries, () =>
      runtime.catalog(restrictTools(runtime.tools(profile), options.only, false)),
    )
    if (warning !== undefined) notes.push(warning)
    const callCtx: Ctx = { ...ctx, can: { ...ctx.can, processes, agents } }
    return {
      ctx: callCtx,
      get catalog() {
        return tools()
      },
      profile,
      asking: { relay: runtime.resources.relay, waitSeconds: loaded.config.approvals?.wait },
      notes,
      call: (request) => invoke(tools(), callCtx, request),
      explain: async (entry, args, agent, name = entry.name) =>
        (await loadExplained()).explainCall(entry, name, args, {
          ...callCtx,
          policy: { ...callCtx.policy, agent },
        }),
      close: () => runtime.close(),
    }
  } catch (error) {
    await runtime.close()
    throw error
  }
}

/**
 * Records in the policy the files that instruction files include. A client may write these included files, so
 * later calls that use them need approval.
 */
async function noteIncludedFiles({
  cwd,
  policy,
  can: {
    processes: { run },
  },
  signal,
}: Ctx): Promise<void> {
  const { readInstructions } = await import('../../agent/instructions.ts')
  await readInstructions({ cwd, policy, run, signal })
}

/**
 * Returns the policy. With `onlyReads`, each call that changes something needs approval, even if it changes
 * only data of Anode.
 */
function policyFor({ onlyReads }: DirectCallOptions, policy: Policy): Policy {
  return onlyReads !== true || policy.preset === 'strict' ? policy : { ...policy, preset: 'careful' }
}

/**
 * Returns the capabilities with background jobs of this session; unchanged if the session
 * cannot start programs.
 */
async function withJobs(processes: Capabilities['processes'], log: CallLog) {
  if (!processes.run) return processes
  const { createSessionJobs } = await import('../../runtime/agent/session-jobs.ts')
  return { ...processes, jobs: createSessionJobs(processes.run, log) }
}

/** Returns a handler that approves by the flag or denies. It never waits for an answer. */
function answerByFlag(options: DirectCallOptions): ApprovalHandler {
  if (options.approval === 'flag') return async () => ({ allow: true, why: '--allow-non-read' })
  return async () => ({ allow: false, why: 'to run it anyway, add --allow-non-read' })
}

interface DirectCallLog extends CallLog {
  /** Returns the thread of the records, or undefined before the first record. */
  thread(): string | undefined
}

/**
 * Opens the record of direct calls. `changes` records from the first call with an effect on, before that call
 * runs; `always` records every call. The store is opened at the first record, so a read needs no database.
 */
export function openDirectCallLog(options: {
  store: () => Promise<Store>
  workspace: string
  profile: string
  record: 'changes' | 'always'
}): DirectCallLog {
  const run = createId('run')
  let thread: string | undefined
  let waiting: EventDraft[] = []

  const flush = async () => {
    const store = await options.store()
    const { workspace, profile } = options
    thread ??= store.threads.create({ workspace, profile, title: titleOf(waiting) }).id
    store.threads.append(thread, run, waiting)
    waiting = []
    return store
  }
  return {
    thread: () => thread,
    async append(draft) {
      if (draft.type === 'tool.progress') return
      waiting.push(draft)
      if (options.record === 'always' || thread !== undefined || isChangingCall(draft)) await flush()
      // drops the events of a call that is not recorded
      else if (draft.type === 'tool.result') waiting = []
    },
    async keep(_call, content) {
      return (await flush()).blobs.put(Buffer.from(content))
    },
  }
}

function isChangingCall(draft: EventDraft): boolean {
  return draft.type === 'tool.call' && draft.payload.effect !== 'read'
}

function titleOf(drafts: readonly EventDraft[]): string {
  const call = drafts.find((draft) => draft.type === 'tool.call')
  return call?.type === 'tool.call' ? `direct call of ${call.payload.tool}` : 'direct call'
}
