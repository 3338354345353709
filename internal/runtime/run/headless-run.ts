// Headless run of an agent: opens or resumes a thread, runs a session on it, and reports every event.

import type { BudgetSpending } from '../../agent/budget.ts'
import { omitUnreadDocuments } from '../../agent/messages.ts'
import { recordActivity } from '../../agent/receipts.ts'
import { createRecorder } from '../../agent/recorder.ts'
import type { RunEnd } from '../../agent/run-end.ts'
import type { SessionRecord } from '../../agent/session.ts'
import type { RunProof } from '../../agent/stop-gate.ts'
import type { UnansweredCall } from '../../agent/unanswered-calls.ts'
import { createUlid } from '../../base/ids.ts'
import type { EventDraft } from '../../event/event.ts'
import type { Model } from '../../model/model.ts'
import { noModel } from '../../model/model-choice.ts'
import type { Profile } from '../../profile/profile.ts'
import { findProfile, findProfileServing } from '../../profile/profile-set.ts'
import type { Store } from '../../store/store.ts'
import type { ActivityReceipts } from '../../tool/activity-receipts.ts'
import { createSessionPlanning, findThreadPlan } from '../agent/session-planning.ts'
import { openRuntime } from '../open-runtime.ts'
import type { Runtime } from '../runtime.ts'
import { buildPolicy } from '../session-policy.ts'
import {
  awaitNamedTools,
  checkToolNames,
  checkToolsetModel,
  chooseThreadToolset,
} from '../toolset/requested-toolset.ts'
import { createQuestionChannel } from './question-channel.ts'
import type { RunClient, RunOptions } from './run-options.ts'
import { findLastUse, openThread } from './run-thread.ts'
import { runOnThread } from './thread-run.ts'

export interface HeadlessRunResult {
  thread: string
  end: RunEnd
  spent: BudgetSpending
  model: string
  /** Actions of the run and of its subagents, such as changed files and commands. */
  receipts: ActivityReceipts & { calls: number; succeeded: number }
  /**
   * Calls that were denied because no user could answer. `isMissing` is true if the task lacks the effect of
   * one of them.
   */
  unanswered: readonly UnansweredCall[]
  isMissing: boolean
  /** Changes to a fallback model in order, with their reasons. */
  switches: readonly ModelSwitch[]
  /** What the check of the run showed, if the run has a check. */
  proof?: RunProof
  /**
   * How much of a question was found, after a run of a model that only searches and quotes; undefined for
   * other models, and unless the run ended as done.
   */
  found?: 'found' | 'partial' | 'nothing'
}

interface ModelSwitch {
  model: string
  text: string
}

/**
 * Runs the agent. Throws UserError before the first request if something cannot be used, such as the
 * configuration, profile, model, toolset, relay, a tool name or the thread.
 */
export async function runHeadless(options: RunOptions): Promise<HeadlessRunResult> {
  // questions are stored in the thread's record, which opens after the runtime
  let record: SessionRecord | undefined
  const report = async (draft: EventDraft) => record?.append(draft)
  const user = options.awaitAnswer && createQuestionChannel(report, options.awaitAnswer, true)
  const runtime = await openRuntime({ ...options, user: user ?? options.user, isWorkspaceLater: true })
  try {
    for (const note of runtime.notes) options.note(note)
    // an unusable relay fails here, before the run costs money
    await runtime.resources.relay?.()
    const store = await runtime.resources.store()
    const agent = await chooseAgent(runtime, store, options)
    return await runThread({ ...agent, runtime, store }, options, (opened) => {
      record = opened
    })
  } finally {
    await runtime.close()
  }
}

/**
 * Returns the profile and model that were requested, else those that the resumed thread last used, else the
 * configured ones. `serves` selects the profile by task. With a requested profile, the model of the thread
 * does not count.
 */
async function chooseAgent(
  runtime: Runtime,
  store: Store,
  options: RunOptions,
): Promise<{ profile: Profile; model: Model }> {
  const profiles = await runtime.profiles()
  const before = options.resume && findLastUse(store, options.resume.thread, runtime.context.workspace)
  const profile =
    options.profile === undefined && options.serves !== undefined
      ? findProfileServing(profiles, options.serves)
      : findProfile(profiles, options.profile ?? before?.profile ?? runtime.context.loaded.config.profile)
  // the toolset and the tool names are checked here, so that their errors are reported before a
  // thread is created
  const { config } = runtime.context.loaded
  const requestedToolset = options.toolset?.name
  const name = chooseThreadToolset({
    asked: requestedToolset,
    before: options.resume && before,
    profile,
    config,
  })
  const { only = [], extra = [] } = options.toolset ?? {}
  await awaitNamedTools([...(options.tools ?? []), ...only, ...extra], runtime, options.signal)
  await runtime.openToolset({ ...options.toolset, name })
  const names = runtime.entries().map(({ name }) => name)
  checkToolNames(options.tools, [...names, ...(runtime.toolset?.faceNames ?? [])])
  buildPolicy({ ...options, toolset: runtime.toolset?.policy }, runtime.context, profile)
  const ownModel = options.profile === undefined ? before?.model : undefined
  // The built-in model only quotes files. A thread that used it for a question still has no model
  // for other tasks.
  const isNamed = (options.model ?? profile.model ?? config.model) !== undefined
  // only if no model is named, the task is checked for a question about files, because this check loads
  // much language data
  const permit = isNamed ? undefined : await permitQuoting(options)
  const spec = options.model ?? ownModel ?? profile.model
  const model = await runtime.model(spec, permit, options.isSwitchBarred)
  if (model.kind === 'rules' && !isNamed && !permit) throw noModel()
  checkToolsetModel(model, runtime.toolset === undefined)
  return { profile, model }
}

/**
 * Returns a function for notices if the built-in model, which only quotes files, may do the task; else
 * undefined. It may without a prompt, and if the prompt is a question about the workspace and no more
 * messages can arrive, because those can ask for anything.
 */
async function permitQuoting({
  prompt,
  staysOpen,
  note,
}: RunClient & Pick<RunOptions, 'prompt'>): Promise<((text: string) => void) | undefined> {
  if (prompt === undefined) return note
  if (staysOpen || typeof prompt !== 'string') return undefined
  const { isWorkspaceQuestion } = await import('../../text-analysis/workspace-question.ts')
  return isWorkspaceQuestion(prompt) ? note : undefined
}

interface RunParts {
  runtime: Runtime
  store: Store
  profile: Profile
  model: Model
}

async function runThread(
  { runtime, store, profile, model }: RunParts,
  options: RunOptions,
  onRecord: (record: SessionRecord) => void,
): Promise<HeadlessRunResult> {
  const { workspace, loaded } = runtime.context
  const opened = openThread(store, workspace, profile, model.id, options)
  const { thread } = opened
  const maxSessions = loaded.config.session?.maxSessions
  if (maxSessions !== undefined) store.threads.trim(workspace, maxSessions)
  const switches: ModelSwitch[] = []
  const activity = recordActivity(workspace)
  const record = createRecorder(store, thread, `run_${createUlid()}`, (event) => {
    activity.add(event)
    options.show(event)
    if (event.type === 'model.notice' && event.payload.model !== undefined)
      switches.push({ model: event.payload.model, text: event.payload.text })
    runtime.plugins?.event(thread, event)
    runtime.resources.trace?.(thread, event)
  })
  onRecord(record)
  const start = options.resume === undefined ? 'new' : options.resume.fork ? 'fork' : 'resume'
  const planning = createSessionPlanning({
    dataDir: runtime.context.data,
    thread,
    before: findThreadPlan(store, thread),
    report: record.append,
  })
  if (options.plan) await planning.enter(false)
  const prompt = options.prompt && omitUnreadDocuments(options.prompt, model)
  const ran = await runOnThread({
    ...options,
    prompt,
    runtime,
    profile,
    model,
    opened,
    record,
    start,
    planning,
  })
  const { text, ...how } = ran.end
  await (await runtime.hooks({ thread, warn: options.note })).fire('SessionEnd', how)
  const verdict = model.kind === 'rules' && how.end === 'done' ? await readFound(text) : undefined
  const { obeyed, ...rest } = ran
  const counts = { calls: activity.calls(), succeeded: activity.succeeded() }
  const activityReceipts = activity.receipts()
  const receipts = { ...activityReceipts, obeyed: obeyed ? [...obeyed] : activityReceipts.obeyed, ...counts }
  return { thread, ...rest, model: model.id, receipts, switches, found: verdict }
}

const readFound = async (text: string): Promise<HeadlessRunResult['found']> =>
  (await import('../../model/extract/extract-model.ts')).readVerdict(text)
