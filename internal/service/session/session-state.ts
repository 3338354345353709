// What a session is made of while it is open: its parts, and what changes from command to command.

import type { Budget } from '../../agent/budget.ts'
import { createUlid } from '../../base/ids.ts'
import type { Event, EventDraft } from '../../event/event.ts'
import type { Effort } from '../../model/model.ts'
import type { SessionPlanning } from '../../runtime/agent/session-planning.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { ToolsetRequest } from '../../runtime/toolset/toolset-session.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { CommandReply, SessionEvent } from '../../session/client.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import type { Ctx } from '../../tool/ctx.ts'
import type { SessionJobs } from '../../tool/jobs.ts'
import type { LeftLimits } from './handover/carried-session.ts'
import { isHandedOver, type SessionDeparture } from './handover/departure.ts'
import type { MessageQueue } from './message-queue.ts'
import type { PendingAnswers } from './pending-answers.ts'
import type { SessionAgent } from './session-agent.ts'
import type { SessionFeed } from './session-feed.ts'
import type { OpenedSessionThread, SessionThread } from './session-thread.ts'

/** What binds every run of a session. */
export interface RunLimits {
  within?: Budget
  maxTurns?: number
}

interface RunningWork {
  stop: AbortController
  ended: Promise<void>
  /** It is a run, and what it was begun for is on record. */
  isOnRecord?: boolean
  /** It is a run, and it has ended without being done: no queued message follows. */
  isUnfinished?: boolean
}

export interface SessionState {
  readonly limits: RunLimits
  readonly context: WorkspaceContext
  readonly thread: SessionThread
  readonly feed: SessionFeed
  readonly answers: PendingAnswers
  readonly queue: MessageQueue
  /** Hooks and plugins, opened for all runs with the first thing that needs them. */
  readonly runtime: () => Promise<Runtime>
  /** The same, once servers and programs have told of all tools that a run of the agent can use. */
  readonly runRuntime: () => Promise<Runtime>
  /** Begins with that where others have made something that has to be opened; called when a screen stands. */
  openAhead(): void
  /** What is wrong with any of it, as far as it was said. */
  readonly shownNotes: Set<string>
  /** Whether something has needed it. */
  readonly hasRuntime: () => boolean
  /** Undoes that, where it was done. */
  closeRuntime(): Promise<void>
  /** What every client sees, folded from the same events. */
  view: SessionView
  agent: SessionAgent
  /** Present while a run, or what excludes one, goes on. */
  running: RunningWork | undefined
  /** Present while the run is to go on in another process, and once it does. */
  departure: SessionDeparture | undefined
  /** How many replies the model has given: before this process, and in it. */
  replies: { before: number; here: number }
  /** What is left to the first run of what binds it, where it goes on with another one. */
  leftLimits: LeftLimits | undefined
  /** The person's own calls that go on. */
  readonly calls: Set<{ stop: AbortController; ended: Promise<void> }>
  /** What ends one call, by the ids of those that have begun. */
  readonly stops: Map<string, AbortController>
  /** What the model is told with the next message. */
  notes: string[]
  /** Which hooks are told of at the first run. */
  start: 'new' | 'resume' | 'fork' | undefined
  readonly planning: SessionPlanning
  readonly tools: readonly string[] | undefined
  readonly toolset: ToolsetRequest
  /** Commands in the background, from run to run. */
  readonly jobs: SessionJobs
  /** How hard the model is to think; undefined: as the profile says. */
  effort: Effort | undefined
  /** Folders that the person has added while it goes on, as real paths. */
  addedDirs: readonly string[]
  /** Shows what a command prints while it runs. */
  readonly showOutput: (call: string, chunk: Uint8Array) => void
  isClosed: boolean
}

export function publishEvent(state: Pick<SessionState, 'view' | 'feed'>, event: Event, pos?: number): void {
  const placed: SessionEvent = pos === undefined ? event : { ...event, pos }
  state.view = foldSessionEvent(state.view, placed)
  state.feed.publish(placed)
}

/** Puts on record what belongs to no run; before there is a thread it is only told. */
export async function reportEvent(state: SessionState, draft: EventDraft): Promise<void> {
  // what a run that was handed over still says of its questions is not so
  if (state.running && isHandedOver(state.running.stop.signal)) return
  if (state.thread.isStored()) return (await state.thread.open('')).record.append(draft)
  publishEvent(state, { ...draft, id: createUlid(), run_id: '', seq: 0, ts: Date.now() })
}

export const acceptCommand = (
  state: SessionState,
  message?: string,
): Extract<CommandReply, { ok: true }> => ({
  ok: true,
  pos: state.view.pos,
  ...(message !== undefined && { message }),
})

/** Mode and rules as they are in this session now. */
export function adaptSessionCtx(state: SessionState, ctx: Ctx): Ctx {
  const { mode } = state.agent
  const answers = async () => [...(await ctx.answers()), ...state.answers.rules.values()]
  const { roots } = ctx.policy
  const added = [...roots.added, ...state.addedDirs.filter((dir) => !roots.added.includes(dir))]
  const can = { ...ctx.can, showOutput: state.showOutput }
  const callSignal = (call: string, signal: AbortSignal) => {
    const stop = new AbortController()
    state.stops.set(call, stop)
    return AbortSignal.any([signal, stop.signal])
  }
  return { ...ctx, answers, can, callSignal, policy: { ...ctx.policy, mode, roots: { ...roots, added } } }
}

/** The thread with all that was said before; makes it where there is none. */
export function openStateThread(state: SessionState, title: string): Promise<OpenedSessionThread> {
  return state.thread.open(state.view.title || title)
}

/** Whether the run ends without a look at the queue. */
export function isEnding({ running }: SessionState): boolean {
  if (!running || isHandedOver(running.stop.signal)) return false
  return running.isUnfinished === true || running.stop.signal.aborted
}
