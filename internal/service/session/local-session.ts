// A session in this process: one state, and a client for everybody who looks at it.
import { defined } from '../../base/defined.ts'
import { once } from '../../base/once.ts'
import type { Event, EventDraft, EventType } from '../../event/event.ts'
import type { DeclaredServer } from '../../mcp/config/server-config.ts'
import { efforts } from '../../model/effort.ts'
import type { RunCommand } from '../../process/process-command.ts'
import { createSessionPlanning, findThreadPlan } from '../../runtime/agent/session-planning.ts'
import { createCommandOutput } from '../../runtime/processes/command-output.ts'
import { findLastUse } from '../../runtime/run/run-thread.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { CommandReply, SessionClient, SessionSource, SessionWishes } from '../../session/client.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import { emptyView } from '../../session/view/view-snapshot.ts'
import type { RecordedEvent, Store } from '../../store/store.ts'
import type { EditorFiles } from '../../tool/editor-files.ts'
import type { CarriedSession } from './handover/carried-session.ts'
import type { RunPlaces } from './handover/hand-over.ts'
import { createMessageQueue } from './message-queue.ts'
import { createPendingAnswers } from './pending-answers.ts'
import { chooseSessionAgent } from './session-agent.ts'
import { createClient, type KnownCommands } from './session-client.ts'
import { createSessionFeed } from './session-feed.ts'
import { followModel, showAgent, showStarting } from './session-model.ts'
import { publishEvent, type RunLimits, reportEvent, type SessionState } from './session-state.ts'
import { openSessionThread } from './session-thread.ts'
import { chooseSessionToolset, lazySessionJobs } from './session-tools.ts'
import { goOnWithRun, sayMessage, wakeSession } from './session-turns.ts'
import {
  openSessionRuntime,
  type SessionRuntime,
  type SessionRuntimeOptions,
  startList,
} from './startup/session-runtime.ts'

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
  servers?: readonly DeclaredServer[]
  /** What the session has beside its thread, from the process that has handed it over. */
  carried?: CarriedSession | undefined
  /** Where its runs can go on; absent: only here. */
  runs?: RunPlaces | undefined
  /** Called with what the person should know. */
  note(text: string): void
}

export interface LocalSession {
  /** Another client of the same session; the last to leave ends it. */
  attach(): SessionClient
  /** Goes on with what was handed over. Resolves once that has begun; never rejects. */
  goOn(): Promise<CommandReply>
  /** Answers no to all that waits for a person; `why` is told. */
  refuseWaiting(why: string): void
  close(): Promise<void>
}

/** A screen that has been given what it shows draws that first. */
const aheadMs = 50

/** Throws UserError for a profile, model or thread that is not there. */
export async function openLocalSession(options: LocalSessionOptions): Promise<LocalSession> {
  const state = await openState(options)
  const close = once(() => closeSession(state))
  const known: KnownCommands = new Map()
  let clients = 0
  return {
    attach() {
      clients++
      const leave = once(async () => {
        if (--clients === 0) await close()
      })
      return createClient(state, options, known, leave)
    },
    goOn: () => (options.carried?.run ? goOnWithRun(state) : sayMessage(state, { content: '', files: [] })),
    refuseWaiting: (why) => state.answers.refuseAll(why),
    close,
  }
}

async function openState(options: LocalSessionOptions): Promise<SessionState> {
  const { context, source, settings, store, note, carried } = options
  const before =
    source.kind === 'new' ? undefined : findLastUse(await store(), source.thread, context.workspace)
  const mode = settings.mode ?? 'auto'
  const asked = defined({ profile: settings.profile, model: settings.model, before })
  const agent = await chooseSessionAgent(context, { ...asked, mode }, note)
  const toolset = await chooseSessionToolset(context, settings.toolset, agent, before)
  // a copy is made before there is a state
  let current = () => agent
  const thread = await openSessionThread(source, {
    ...{ workspace: context.workspace, dataDir: context.data, store, carried },
    agent: () => ({ profile: current().profile.name, model: current().model.id }),
    show(event, pos) {
      publishEvent(state, event, pos)
      trace(thread.id, event)
    },
  })
  const report = (draft: EventDraft) => reportEvent(state, draft)
  const findAsked = (call: string) => state.view.waits.find((one) => one.call === call)
  const answers = createPendingAnswers(report, findAsked, carried?.rules)
  const { closeRuntime, trace, ...runtimes } = lazyRuntime(() => state, {
    ...options,
    mode,
    toolset,
    user: answers.user,
  })
  const { runtime } = runtimes
  const state: SessionState = {
    ...{ context, thread, agent, answers, closeRuntime, toolset },
    ...{ ...runtimes, tools: options.tools, limits: options.limits },
    jobs: lazySessionJobs(
      { thread, runtime, report, show: (job, chunk) => state.showOutput(job, chunk) },
      () => wakeSession(state),
    ),
    feed: createSessionFeed(),
    queue: createMessageQueue(report, carried?.queued),
    planning: createSessionPlanning({
      ...{ dataDir: context.data, thread: thread.id, report },
      before: source.kind === 'new' ? undefined : findThreadPlan(await store(), thread.id),
    }),
    view: emptyView(thread.id),
    ...{ calls: new Set(), stops: new Map(), shownNotes: new Set() },
    ...startValues(carried),
    showOutput: openOutput(() => state),
    start: source.kind,
    isClosed: false,
  }
  current = () => state.agent
  if (source.kind !== 'new') await foldStored(state, await store())
  state.effort ??= efforts.find((effort) => effort === state.view.effort)
  state.view = showAgent(state)
  followModel(state)
  // a tool that is none is found before anything is said
  if (toolset.only || toolset.extra || options.tools)
    await state.runtime().catch(failAfter(state.closeRuntime))
  return state
}

/** What a session begins with, or goes on with where it was handed over. */
const startValues = (carried: CarriedSession | undefined) => ({
  ...{ running: undefined, departure: undefined, leftLimits: carried?.run },
  replies: { before: carried?.replies ?? 0, here: 0 },
  notes: [...(carried?.notes ?? [])],
  effort: carried?.effort,
  addedDirs: carried?.addedDirs ?? [],
})

/** A job is in the view a moment after it has begun to print. */
const openOutput = (state: () => SessionState) =>
  createCommandOutput(
    (event) => publishEvent(state(), event),
    (name) =>
      state().view.calls.some(({ call }) => call === name) ||
      state().jobs.opened?.find(name)?.running === true,
  )

const failAfter = (close: () => Promise<void>) => async (error: unknown) => {
  await close()
  throw error
}

/** Opened for the first thing that needs it, and closed only where that was so. */
function lazyRuntime(
  state: () => SessionState,
  options: Omit<SessionRuntimeOptions, 'signal' | 'showStart'>,
) {
  const ending = new AbortController()
  let opening: Promise<SessionRuntime> | undefined
  let traceEvent: Runtime['resources']['trace']
  const open = () => {
    const showStart = startList((names) => showStarting(state(), names))
    opening ??= openSessionRuntime({ ...options, signal: ending.signal, showStart }).then((opened) => {
      traceEvent = opened.runtime.resources.trace
      return opened
    })
    return opening
  }
  let isAhead = false
  return {
    /** Nothing of a run happens before there is a runtime. */
    trace: (thread: string, event: Event) => traceEvent?.(thread, event),
    hasRuntime: () => opening !== undefined,
    runtime: async () => (await open()).runtime,
    runRuntime: async () => (await open()).openFor(state().agent.profile),
    openAhead() {
      if (isAhead) return
      isAhead = true
      const begin = async () => {
        if (!state().isClosed) await (await import('./startup/open-ahead.ts')).openAhead(state(), options)
      }
      setTimeout(() => void begin(), aheadMs).unref()
    },
    async closeRuntime() {
      ending.abort(new Error('the session has ended'))
      // what could not be opened is not open
      const opened = await opening?.catch(() => undefined)
      await opened?.runtime.close()
    },
  }
}

/** Events at the end of a thread that are folded whole; what lies before counts only with its sums. */
const recentEvents = 500
const summedTypes: readonly EventType[] = [
  ...(['system.init', 'usage', 'run.ended', 'child.ended'] as const),
  ...(['session.changed', 'message.queued', 'message.unqueued'] as const),
]

/** What earlier processes have put on record, as far as a snapshot tells of it. */
async function foldStored(state: SessionState, store: Store): Promise<void> {
  const { id } = state.thread
  const last = store.threads.tail(id, 1).at(-1)?.pos ?? 0
  const recent = Math.max(0, last - recentEvents)
  foldPages(state, (after) =>
    store.threads.events(id, after, 500, summedTypes).filter(({ pos }) => pos <= recent),
  )
  state.view = { ...state.view, todo: store.todos.read(id) }
  foldPages(state, (after) => store.threads.events(id, Math.max(after, recent), 500))
  state.view = { ...state.view, title: store.threads.get(id)?.title ?? state.view.title }
}

function foldPages(state: SessionState, read: (after: number) => readonly RecordedEvent[]): void {
  for (let after = 0; ; ) {
    const page = read(after)
    for (const event of page) {
      state.view = foldSessionEvent(state.view, event)
      if (event.type === 'message.queued') state.queue.restore(event.payload)
      if (event.type === 'message.unqueued') state.queue.forget(event.payload.id)
    }
    const end = page.at(-1)
    if (!end) return
    after = end.pos
  }
}

async function closeSession(state: SessionState): Promise<void> {
  // whoever leaves meanwhile has asked for it
  state.departure?.hurry()
  await state.departure?.done
  state.isClosed = true
  const { running } = state
  const calls = [...state.calls]
  for (const { stop } of running ? [running, ...calls] : calls) stop.abort(new Error('the session has ended'))
  await running?.ended
  await Promise.all(calls.map(({ ended }) => ended))
  await state.jobs.close()
  if (state.start === undefined) {
    const hooks = await (await state.runtime()).hooks({ thread: state.thread.id, warn: () => undefined })
    await hooks.fire('SessionEnd', { end: 'left' })
  }
  await state.closeRuntime()
  state.feed.close()
}
