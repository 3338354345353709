// One run of an agent for a build: in a worktree for one task of the build, or in the checkout for its plan.
import { createRecorder } from '../../agent/recorder.ts'
import type { RunEnd } from '../../agent/run-end.ts'
import type { RunProof } from '../../agent/stop-gate.ts'
import { createUlid } from '../../base/ids.ts'
import type { Model } from '../../model/model.ts'
import type { Mode } from '../../policy/level.ts'
import type { Profile } from '../../profile/profile.ts'
import { findProfileServing } from '../../profile/profile-set.ts'
import { createSessionPlanning } from '../../runtime/agent/session-planning.ts'
import { openRuntime } from '../../runtime/open-runtime.ts'
import { keepOpenCalls, openThread } from '../../runtime/run/run-thread.ts'
import type { GoalOrder } from '../../runtime/run/stop-gate.ts'
import { runOnThread } from '../../runtime/run/thread-run.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { BudgetLease } from '../../study/worker/worker-budget.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import { features } from '../features/index.ts'
import type { BuildLeader } from './build-leader.ts'
import { createPaidModel, type StoredReply } from './paid-model.ts'

interface BuildAgentOrder {
  /** Directory in which the agent works. */
  cwd: string
  /** Kind of the work, which selects the profile of the agent. */
  serves: 'build_task' | 'build_plan'
  /** Key under which the journal (the stored log of the build) has the agent's responses. */
  key: string
  title: string
  /** Thread of the agent's conversation. It is created if it does not exist. */
  thread: string
  /** Model of the agent. Default: the model of the build, or of the profile. */
  model?: string
  prompt: string
  goal?: GoalOrder
  mode: Mode
  /** Share of the budget that the agent may use, from 0 to 1. */
  share: number
  /**
   * `paid`: stored responses of this attempt, and of the interrupted ones that it continues. `taken`: number
   * of the last stored response of all attempts; 0 without one.
   */
  paid: readonly StoredReply[]
  taken: number
  /** Returns changed tools for the agent, given its usual tools. Default: the usual tools. */
  adaptTools?(tools: ListedTool[]): ListedTool[]
}

export interface BuildAgentEnd {
  end: RunEnd
  /** Reason why the budget refused a request to the model; undefined if it refused none. */
  refused: string | undefined
  /** True if a call was denied because no user could approve it, and no later call had its effect. */
  isDenied: boolean
  /**
   * Result of the check at the end of the run. Undefined if the run has no check, or if the final answer of
   * the agent was stored already.
   */
  proof: RunProof | undefined
}

/**
 * Runs the agent, or continues its conversation after a kill. Throws UserError if, for example, the workspace
 * cannot be opened.
 */
export async function runBuildAgent(leader: BuildLeader, order: BuildAgentOrder): Promise<BuildAgentEnd> {
  const { run, state, cut: cutSignal, sandboxes, children } = leader
  const runtime = await openRuntime({
    features,
    cwd: order.cwd,
    env: run.env,
    signal: cutSignal,
    mode: order.mode,
    addDirs: [],
    terminal: undefined,
    sandbox: state.head.sandbox,
    sandboxMemory: sandboxes,
    childOwner: children,
    isWorkspaceLater: true,
  })
  try {
    const profile = findProfileServing(await runtime.profiles(), order.serves)
    await runtime.openToolset({ name: profile.toolset })
    const paid = await openPaidModel(leader, order, runtime, profile)
    const ran = await runConversation(leader, order, { runtime, profile, model: paid.model })
    return { end: ran.end, refused: paid.refused, isDenied: ran.isMissing, proof: ran.proof }
  } finally {
    await runtime.close()
  }
}

async function openPaidModel(
  leader: BuildLeader,
  order: BuildAgentOrder,
  runtime: Runtime,
  profile: Profile,
) {
  const { head } = leader.state
  const { key: task, share, cwd } = order
  const priced = head.budget?.usd !== undefined
  const lease: BudgetLease = { ...leader.lease, task, share, cap: {}, priced, cwd }
  const model = await runtime.model(order.model ?? head.model ?? profile.model)
  const { isStopping, catchUp: onPaid } = leader
  return createPaidModel({ ...order, model, lease, isStopping, onPaid })
}

/**
 * Runs the conversation from its prompt, or continues it after a kill. Runs nothing if the final
 * answer is stored.
 */
async function runConversation(
  { run, state, cut: cutSignal }: BuildLeader,
  order: BuildAgentOrder,
  { runtime, profile, model }: { runtime: Runtime; profile: Profile; model: Model },
) {
  const { prompt, thread } = order
  const opened = await openAgentThread(runtime, order, { profile: profile.name, model: model.id })
  const isStarted = opened.messages.some(({ role, content }) => role === 'user' && content === prompt)
  const last = opened.messages.at(-1)
  // A killed process has stored the final answer of the agent, but the build has not used it.
  if (isStarted && last?.role === 'assistant' && (last.calls ?? []).length === 0)
    return { end: { end: 'done', text: last.content } as const, isMissing: false, proof: undefined }
  const { data: dataDir } = runtime.context
  const planned = { dataDir, thread, before: undefined, report: async () => undefined }
  return runOnThread({
    runtime: order.adaptTools ? withTools(runtime, order.adaptTools) : runtime,
    profile,
    model,
    opened,
    record: await recordThread(runtime, thread, !isStarted),
    start: 'resume',
    planning: createSessionPlanning(planned),
    prompt: isStarted ? undefined : prompt,
    isProgramPrompt: true,
    goal: order.goal,
    label: order.title,
    task: order.key,
    caps: { deadline: state.head.deadline },
    signal: cutSignal,
    ask: async () => ({ allow: false, why: 'no user can approve calls of a build', unanswered: true }),
    inbox: async () => [],
    note: run.note,
  })
}

/**
 * Opens the thread, and keeps the calls that a killed process left open. Creates the thread if it
 * does not exist.
 */
async function openAgentThread(
  runtime: Runtime,
  { thread, title, prompt }: BuildAgentOrder,
  { profile, model }: { profile: string; model: string },
) {
  const store = await runtime.resources.store()
  const { workspace } = runtime.context
  if (!store.threads.get(thread)) store.threads.create({ id: thread, workspace, title, profile, model })
  const resume = { thread, fork: false }
  const opened = openThread(store, workspace, { name: profile }, model, { prompt, resume })
  keepOpenCalls(opened)
  return opened
}

/**
 * Returns the recorder of the thread. If the prompt is that of a new attempt, the check of the previous
 * attempt ends first.
 */
async function recordThread(runtime: Runtime, thread: string, isNew: boolean) {
  const store = await runtime.resources.store()
  const record = createRecorder(store, thread, `run_${createUlid()}`, (event) => {
    runtime.plugins?.event(thread, event)
    runtime.resources.trace?.(thread, event)
  })
  const last = store.threads.tail(thread, 1, ['goal.changed']).at(-1)
  const isSet = last?.type === 'goal.changed' && last.payload.goal !== null
  // the check of the previous attempt compares files with another commit, so it ends here
  if (isNew && isSet) await record.append({ type: 'goal.changed', payload: { goal: null } })
  record.flush()
  return record
}

/** Returns the runtime with the tools that `adapt` returns for its agent. */
const withTools = (runtime: Runtime, adapt: (tools: ListedTool[]) => ListedTool[]): Runtime =>
  Object.assign(Object.create(runtime) as Runtime, {
    tools: (...audience: Parameters<Runtime['tools']>) => adapt(runtime.tools(...audience)),
  })
