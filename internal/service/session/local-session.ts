// Opener of a session in this process. Each screen or other program that shows the session gets a client.
import { once } from '../../base/once.ts'
import type { DeclaredServer } from '../../mcp/config/server-config.ts'
import { efforts } from '../../model/effort.ts'
import type { CommandHost, RunCommand } from '../../process/process-command.ts'
import { createSessionPlanning, findThreadPlan } from '../../runtime/agent/session-planning.ts'
import { findLastUse } from '../../runtime/run/run-thread.ts'
import { readGoalOrder } from '../../runtime/run/stop-gate.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { CommandReply, SessionClient, SessionSource, SessionWishes } from '../../session/client.ts'
import type { Store } from '../../store/store.ts'
import type { EditorFiles } from '../../tool/editor-files.ts'
import { AgentSettings, type RunLimits } from './agent-settings.ts'
import type { CarriedSession } from './handover/carried-session.ts'
import type { RunPlaces } from './handover/hand-over.ts'
import { createMessageQueue, type MessageQueue } from './message-queue.ts'
import { ModelNotes } from './model-notes.ts'
import { createPendingAnswers } from './pending-answers.ts'
import { chooseSessionAgent } from './session-agent.ts'
import { SessionCalls } from './session-calls.ts'
import { createClient, type KnownCommands } from './session-client.ts'
import { SessionFeedView } from './session-feed-view.ts'
import type { SessionParts } from './session-parts.ts'
import { SessionRuns } from './session-runs.ts'
import { chooseSessionThread, SessionThread } from './session-thread.ts'
import { chooseSessionToolset } from './session-tools.ts'
import { SessionTurns } from './session-turns.ts'
import { openAhead } from './startup/open-ahead.ts'
import { restoreSession } from './startup/restored-session.ts'
import { SessionRuntime } from './startup/session-runtime.ts'
import { UserCalls } from './user-call.ts'
import { openSessionJobs } from './watched-jobs.ts'

interface LocalSessionOptions {
  context: WorkspaceContext
  source: SessionSource
  settings: SessionWishes
  addDirs: readonly string[]
  tools: readonly string[] | undefined
  limits: RunLimits
  store: () => Promise<Store>
  run: RunCommand
  editor?: EditorFiles
  commandHost?: CommandHost
  servers?: readonly DeclaredServer[]
  /**
   * State of the session that its stored thread does not contain, from an earlier process that passed the
   * session to this one.
   */
  carried?: CarriedSession | undefined
  /** Other processes in which its runs can continue. Default: runs stay in this process. */
  runs?: RunPlaces | undefined
  /** Called with notices for the user. */
  note(text: string): void
}

export interface LocalSession {
  /** Attaches another client. The session ends when its last client leaves. */
  attach(): SessionClient
  /**
   * Continues a session that was handed off. Resolves when its run has begun, or to an error
   * reply; never rejects.
   */
  goOn(): Promise<CommandReply>
  /** Denies everything that waits for the user, with the reason `why`. */
  refuseWaiting(why: string): void
  close(): Promise<void>
}

/** Milliseconds after which background loading starts, so that the screen can render its first view. */
const aheadMs = 50

/** Opens a session. Throws UserError for an unknown profile, model, thread or tool. */
export async function openLocalSession(options: LocalSessionOptions): Promise<LocalSession> {
  const end = new AbortController()
  const session = await openSession(options, end.signal)
  const close = once(() => closeSession(session, end))
  const knownCommands: KnownCommands = new Map()
  let clients = 0
  return {
    attach() {
      clients++
      const leave = once(async () => {
        if (--clients === 0) await close()
      })
      return createClient(session, options, knownCommands, leave)
    },
    goOn: () =>
      options.carried?.run ? session.turns.resume() : session.turns.say({ content: '', files: [] }),
    refuseWaiting: (why) => session.answers.refuseAll(why),
    close,
  }
}

async function openSession(options: LocalSessionOptions, closing: AbortSignal): Promise<SessionParts> {
  const { context, source, store, carried } = options
  const start = await readStart(options)
  const id = await chooseSessionThread(source, context.workspace, store, start.agent)
  const isNew = source.kind === 'new'
  const feed = new SessionFeedView(id, closing)
  const settings = new AgentSettings(context, feed, start)
  const thread = new SessionThread(context, store, settings, feed, { id, isStored: !isNew, carried })
  const report: SessionThread['report'] = (draft) => thread.report(draft)
  const findAsked = (call: string) => feed.view.waits.find((one) => one.call === call)
  const answers = createPendingAnswers(report, findAsked, carried?.rules)
  const { addDirs, editor, commandHost, servers } = options
  const { user } = answers
  const runtime = new SessionRuntime({
    context,
    settings,
    feed,
    thread,
    user,
    addDirs,
    editor,
    commandHost,
    servers,
  })
  const before = isNew ? undefined : findThreadPlan(await store(), id)
  const planning = createSessionPlanning({ dataDir: context.data, thread: id, report, before })
  const jobs = openSessionJobs({ thread, runtime, show: feed.showOutput })
  feed.jobs = jobs
  const queue = createMessageQueue(report, carried?.queued)
  const notes = new ModelNotes(carried?.notes ?? [])
  const calls = new SessionCalls({ settings, answers, feed, jobs, notes })
  const userCalls = new UserCalls({ runtime, settings, calls, notes })
  const baseParts = {
    feed,
    settings,
    thread,
    runtime,
    answers,
    queue,
    planning,
    jobs,
    notes,
    calls,
    userCalls,
  }
  const runs = new SessionRuns(baseParts, {
    start: source.kind,
    repliesBefore: carried?.replies ?? 0,
    leftLimits: carried?.run,
    goal: readGoalOrder(options.settings.until),
  })
  const turns = new SessionTurns({ ...baseParts, runs, closing })
  const session = { ...baseParts, context, runs, turns, closing }
  await showRecord(session, isNew ? undefined : await store())
  const { toolset, tools } = settings
  // if tools were chosen, the runtime opens now, so that unknown tools are reported before the first message
  if (toolset.only || toolset.extra || tools) await runtime.open().catch(failAfter(() => runtime.close()))
  return { ...session, openAhead: prepareOpening(session, servers) }
}

/**
 * Returns the initial settings of the session. Profile, model and toolset are those of the user, otherwise
 * those of the last use of the thread, otherwise those of the configuration. The default mode is `auto`.
 */
async function readStart(options: LocalSessionOptions) {
  const { context, source, settings, store, note, carried, tools, limits } = options
  const isNew = source.kind === 'new'
  const before = isNew ? undefined : findLastUse(await store(), source.thread, context.workspace)
  const agentRequest = { profile: settings.profile, model: settings.model, before }
  const agent = await chooseSessionAgent(context, { ...agentRequest, mode: settings.mode ?? 'auto' }, note)
  const toolset = await chooseSessionToolset(context, settings.toolset, agent, before)
  return { agent, toolset, tools, limits, effort: carried?.effort, addedDirs: carried?.addedDirs ?? [] }
}

interface ShownParts {
  feed: SessionFeedView
  settings: AgentSettings
  queue: MessageQueue
}

/** Shows the stored thread; `store` is undefined for a new thread. */
async function showRecord({ feed, settings, queue }: ShownParts, store: Store | undefined): Promise<void> {
  if (store) restoreSession(feed, queue, store)
  settings.effort ??= efforts.find((effort) => effort === feed.view.effort)
  settings.showAgent()
  settings.followModel()
}

const failAfter = (close: () => Promise<void>) => async (error: unknown) => {
  await close()
  throw error
}

function prepareOpening(
  session: Omit<SessionParts, 'openAhead'>,
  servers: readonly DeclaredServer[] | undefined,
): () => void {
  let isAhead = false
  const begin = async () => {
    if (session.closing.aborted) return
    await openAhead({ ...session, servers })
  }
  return () => {
    if (isAhead) return
    isAhead = true
    setTimeout(() => void begin(), aheadMs).unref()
  }
}

async function closeSession(session: SessionParts, end: AbortController): Promise<void> {
  const { turns, calls, thread, runtime, runs, jobs, feed } = session
  // the client that leaves during a handoff is the one that requested it, so the handoff is finished first
  turns.departure?.hurry()
  await turns.departure?.done
  end.abort()
  // commands get less time to end, because the user waits for the shell
  runtime.hurry()
  const reason = 'the session has ended'
  const { running } = turns
  running?.stop.abort(new Error(reason))
  const callsEnd = calls.endOwn(reason)
  await running?.ended
  await callsEnd
  await jobs.close()
  if (runs.start === undefined) {
    const hooks = await (await runtime.open()).hooks({ thread: thread.id, warn: () => undefined })
    await hooks.fire('SessionEnd', { end: 'left' })
  }
  await runtime.close()
  feed.close()
}
