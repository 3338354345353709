// A session for direct calls: a person is the agent, the flags are the approval.

import { createId } from '../../base/ids.ts'
import type { EventDraft } from '../../event/event.ts'
import type { PermissionDecision, Policy } from '../../policy/decide.ts'
import type { Profile } from '../../profile/profile.ts'
import { openRuntime } from '../../runtime/open-runtime.ts'
import type { AskingOptions } from '../../runtime/relay/joined-answerers.ts'
import type { Runtime, RuntimeOptions } from '../../runtime/runtime.ts'
import { memoizeByEntries } from '../../runtime/tools/tool-registry.ts'
import type { Store } from '../../store/store.ts'
import type { Catalog, ToolEntry } from '../../tool/catalog.ts'
import type { ApprovalHandler, CallLog, Capabilities, Ctx } from '../../tool/ctx.ts'
import { type CallRequest, type CallResult, invoke } from '../../tool/invoke.ts'
import { features } from '../features/index.ts'

export interface DirectCallOptions extends Omit<RuntimeOptions, 'features'> {
  /** Absent: the whole registry rather than what one profile may call. */
  profile?: string
  /** `flag`: the person approved everything that is not denied by typing a flag. */
  approval: 'none' | 'flag'
  /** Calls that do more than read ask, whatever the mode allows. */
  onlyReads?: boolean
  record: 'changes' | 'always'
  /** The user typed each call on the command line; never a model or a client. */
  isTyped?: boolean
  /** One call and no more. */
  single?: boolean
}

export interface DirectCallSession {
  readonly ctx: Ctx
  readonly catalog: Catalog
  readonly profile: Profile | undefined
  /** Who else may answer, for those who ask anybody at all. */
  readonly asking: AskingOptions
  /** What the person should know: ignored files, names that match nothing. */
  readonly notes: readonly string[]
  /** Runs one call; rejects only when it cannot be recorded. */
  call(request: CallRequest): Promise<CallResult>
  /**
   * How a call of that agent would be decided, with the reasons as lines; runs nothing. `name` is what the
   * call names, where that is another program's name of the tool. Throws as `authorizeRaw`.
   */
  explain(entry: ToolEntry, args: unknown, agent: Policy['agent'], name?: string): Promise<CallExplanation>
  close(): Promise<void>
}

interface CallExplanation {
  decision: PermissionDecision
  lines: string[]
}

export async function openDirectCalls(options: DirectCallOptions): Promise<DirectCallSession> {
  const runtime = await openRuntime({ ...options, features })
  try {
    const profile = options.profile === undefined ? undefined : await findNamed(runtime, options.profile)
    const { workspace, loaded } = runtime.context
    const name = options.toolset?.name ?? profile?.toolset ?? loaded.config.toolset
    await runtime.openToolset({ ...options.toolset, name })
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
    const ctx: Ctx = {
      ...opened,
      policy: policyFor(options, opened.policy),
      gate: { ...opened.gate, isTyped: options.isTyped ?? false },
    }
    if (!options.single) await noteIncludedFiles(ctx)
    const parent = { ctx, report: (draft: EventDraft) => log.append(draft) }
    const processes = options.single ? ctx.can.processes : await withJobs(ctx.can.processes, log)
    const agents = { spawn: runtime.spawn(parent), review: features.review({ ...parent, runtime }) }
    // names cannot be said to match nothing when only some tools were looked for
    const warning = profile && options.names === undefined ? await warnUnmatched(runtime, profile) : undefined
    const tools = memoizeByEntries(runtime.entries, () => runtime.catalog(runtime.tools(profile)))
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
      explain: (entry, args, agent, name = entry.name) =>
        explainCall(entry, name, args, { ...callCtx, policy: { ...callCtx.policy, agent } }),
      close: () => runtime.close(),
    }
  } catch (error) {
    await runtime.close()
    throw error
  }
}

/** A client may write what an instruction file includes: such calls need approval in later calls, too. */
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

async function findNamed(runtime: Runtime, name: string): Promise<Profile> {
  const { findProfile } = await import('../../profile/profile-lookup.ts')
  return findProfile(await runtime.profiles(), name)
}

async function warnUnmatched(runtime: Runtime, profile: Profile): Promise<string | undefined> {
  const { warnUnmatchedTools } = await import('../../profile/unmatched-tools.ts')
  return warnUnmatchedTools(profile, [
    ...runtime.entries().map(({ name }) => name),
    ...(runtime.toolset?.faceNames ?? []),
  ])
}

async function explainCall(
  entry: ToolEntry,
  name: string,
  given: unknown,
  ctx: Ctx,
): Promise<CallExplanation> {
  const { authorizeRaw } = await import('../../tool/authorization/authorize-raw.ts')
  const { explainDecision } = await import('../../policy/decision-explanation.ts')
  const { adaptArguments } = await import('../../tool/argument-aliases.ts')
  const tool = await entry.load(given)
  const isForeign = tool.adapter !== undefined || entry.origin !== 'native'
  const args = isForeign ? given : adaptArguments(tool, name, given).args
  const decision = await authorizeRaw(tool, args, ctx)
  return { decision, lines: explainDecision(decision) }
}

/**
 * Where only what reads may run unasked, everything that changes state wants an answer, Anode's own state
 * too.
 */
function policyFor({ onlyReads }: DirectCallOptions, policy: Policy): Policy {
  return onlyReads !== true || policy.preset === 'strict' ? policy : { ...policy, preset: 'careful' }
}

/** With jobs of this session, where programs can be started. */
async function withJobs(processes: Capabilities['processes'], log: CallLog) {
  if (!processes.run) return processes
  const { createSessionJobs } = await import('../../runtime/agent/session-jobs.ts')
  return { ...processes, jobs: createSessionJobs(processes.run, log) }
}

/** Direct calls are approved by the flag or not at all; nothing here ever waits. */
function answerByFlag(options: DirectCallOptions): ApprovalHandler {
  if (options.approval === 'flag') return async () => ({ allow: true, why: '--allow-non-read' })
  return async () => ({ allow: false, why: 'to run it anyway, add --allow-non-read' })
}

interface DirectCallLog extends CallLog {
  /** The thread the records went to, once there is one. */
  thread(): string | undefined
}

/**
 * `changes` records calls with an effect, before they run; `always` every call. The store is opened on the
 * first record, so that a read costs no database.
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
      if (options.record === 'always' || thread !== undefined || changes(draft)) await flush()
      // the end of a call that was not worth recording
      else if (draft.type === 'tool.result') waiting = []
    },
    async keep(_call, content) {
      return (await flush()).blobs.put(Buffer.from(content))
    },
  }
}

function changes(draft: EventDraft): boolean {
  return draft.type === 'tool.call' && draft.payload.effect !== 'read'
}

function titleOf(drafts: readonly EventDraft[]): string {
  const call = drafts.find((draft) => draft.type === 'tool.call')
  return call?.type === 'tool.call' ? `direct call of ${call.payload.tool}` : 'direct call'
}
