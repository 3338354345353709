// The runs of a session on its thread: their options, messages during a run, and remaining limits.
import { appendUserMessage } from '../../agent/messages.ts'
import type { SessionRecord } from '../../agent/session.ts'
import { unlessAborted } from '../../base/time-limit.ts'
import type { EventDraft } from '../../event/event.ts'
import type { ModelMessage } from '../../model/model.ts'
import { lendJobs } from '../../runtime/agent/session-jobs.ts'
import type { SessionPlanning } from '../../runtime/agent/session-planning.ts'
import { threadTitleOf } from '../../runtime/run/run-thread.ts'
import type { GoalOrder } from '../../runtime/run/stop-gate.ts'
import { runOnThread, type ThreadRunOptions } from '../../runtime/run/thread-run.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { CommandReply } from '../../session/client.ts'
import type { SessionJobs } from '../../tool/jobs.ts'
import type { AgentSettings } from './agent-settings.ts'
import { type LeftLimits, leftLimits } from './handover/carried-session.ts'
import { isHandedOver } from './handover/departure.ts'
import type { MessageQueue, SessionMessage } from './message-queue.ts'
import type { ModelNotes } from './model-notes.ts'
import type { PendingAnswers } from './pending-answers.ts'
import type { SessionCalls } from './session-calls.ts'
import type { SessionFeedView } from './session-feed-view.ts'
import type { OpenedSessionThread, SessionThread } from './session-thread.ts'
import type { SessionRuntime } from './startup/session-runtime.ts'
import { type SessionTurn, watchRecord } from './turn.ts'
import type { UserCalls } from './user-call.ts'

interface RunParts {
  feed: SessionFeedView
  settings: AgentSettings
  thread: SessionThread
  runtime: SessionRuntime
  answers: PendingAnswers
  queue: MessageQueue
  planning: SessionPlanning
  jobs: SessionJobs
  notes: ModelNotes
  calls: SessionCalls
  userCalls: UserCalls
}

interface RunsStart {
  /** How the session started; the hooks of the first run get this value. */
  start: 'new' | 'resume' | 'fork'
  /** Number of model responses in this session before this process continued it. */
  repliesBefore: number
  /** Remaining limits of a run that continues from another process. */
  leftLimits: LeftLimits | undefined
  /** Commands that have to pass before the first run may end as done. */
  goal: GoalOrder | undefined
}

/** Start of a run. `jobs`: a background command has ended; `rest`: an interrupted run continues. */
export type RunStart = SessionMessage | 'jobs' | 'rest'

/** The reply to a command whose run was stopped before it began. */
export const stoppedBefore: CommandReply = {
  ok: false,
  code: 'stopped',
  message: 'stopped before it had begun',
}

export class SessionRuns {
  /** How the first run starts; undefined after that run has begun. */
  start: RunsStart['start'] | undefined
  leftLimits: LeftLimits | undefined
  /** Commands that have to pass before the next run may end as done. */
  goal: GoalOrder | undefined
  /**
   * Number of model responses of the session: in earlier processes, and in this process. Both restart at 0
   * when the profile or the model changes.
   */
  replies: { before: number; here: number }
  readonly #parts: RunParts

  constructor(parts: RunParts, { start, repliesBefore, leftLimits, goal }: RunsStart) {
    this.#parts = parts
    this.start = start
    this.leftLimits = leftLimits
    this.goal = goal
    this.replies = { before: repliesBefore, here: 0 }
  }

  /**
   * Waits for the servers of tools and of the model, and returns the runtime. Rejects with the reason of
   * `signal` if `signal` aborts first.
   */
  async awaitParts(signal: AbortSignal): Promise<Runtime> {
    const { runtime, settings } = this.#parts
    const both = Promise.all([runtime.openFor(settings.agent.profile), settings.awaitModel()])
    return (await unlessAborted(both, signal))[0]
  }

  /** Adds the notes for the model to the conversation and its record, between two runs. */
  async giveNotes(thread: OpenedSessionThread): Promise<void> {
    for (const note of this.#parts.notes.take())
      for (const draft of appendUserMessage(thread.conversation.messages, note))
        await thread.record.append(draft)
    thread.record.flush()
  }

  /** Returns the options of a run except its runtime and its start. */
  options(
    thread: OpenedSessionThread,
    record: SessionRecord,
    signal: AbortSignal,
    beforeStep: () => void = () => undefined,
  ): Omit<ThreadRunOptions, 'runtime'> {
    const { settings, answers, planning, jobs, queue, calls, runtime } = this.#parts
    const { tools, limits } = settings
    return {
      profile: settings.profile,
      model: settings.agent.model,
      opened: thread.conversation,
      record,
      signal,
      caps: {},
      ...limits,
      // without a configured limit, a run has no limit of turns and the user stops it
      maxTurns: limits.maxTurns ?? Number.POSITIVE_INFINITY,
      taken: this.replies.before > 0 ? this.replies.before : undefined,
      prompt: undefined,
      tools,
      ask: answers.ask,
      planning,
      // the run only borrows the jobs, because the session ends them
      jobs: lendJobs(jobs),
      interruption: (stop) => queue.nextSteering(stop),
      adaptCtx: (ctx) => calls.adaptCtx(ctx),
      note: (text) => runtime.shownNotes.has(text) || void record.append(noteDraft(text)),
      // a run that the user has stopped takes no more messages, so that they stay in the queue
      inbox: async (isIdle) => {
        if (!isIdle) beforeStep()
        return signal.aborted ? [] : this.#takeSteering(thread, signal)
      },
    }
  }

  /**
   * Executes one run that begins with `first`. Returns true if the run finished its task. Calls `beforeStep`
   * before each further request to the model.
   */
  async run(turn: SessionTurn, runtime: Runtime, first: RunStart, beforeStep: () => void): Promise<boolean> {
    const message = typeof first === 'string' ? undefined : first
    const { signal } = turn
    turn.beginRun()
    this.#parts.planning.mode = undefined
    const title = threadTitleOf(message?.content)
    const sessionThread = this.#parts.thread
    // with a goal, the thread is stored only when the run begins, so a run whose goal check fails to
    // start stores nothing
    const thread = await sessionThread.open(title, this.goal ? 'with run' : 'now')
    const { start, leftLimits: remainingLimits } = this
    if (start) await this.#recordNotes(runtime, thread)
    this.start = undefined
    const { userCalls } = this.#parts
    await userCalls.readAttachments(thread, message, signal)
    if (message?.skill) await userCalls.readSkill(thread, message.skill, signal)
    await this.giveNotes(thread)
    this.leftLimits = undefined
    const { goal } = this
    this.goal = undefined
    const since = Date.now()
    const record = this.#watch(turn, thread.recordRun(), message === undefined)
    const { end, spent } = await runOnThread({
      ...this.options(thread, record, signal, beforeStep),
      ...remainingLimits,
      runtime,
      prompt: message?.content,
      start,
      goal,
    })
    if (isHandedOver(signal) && (end.end === 'cancelled' || end.end === 'failed'))
      this.leftLimits = leftLimits(
        this.#limits(turn.steps),
        { since, spent, steps: turn.steps },
        remainingLimits,
      )
    await this.#tellPlanning()
    if (end.end === 'failed' && end.reason === 'denied')
      turn.answer({ ok: false, code: 'denied', message: end.message })
    if (end.end === 'cancelled') turn.answer(stoppedBefore)
    return end.end === 'done'
  }

  #watch(turn: SessionTurn, record: SessionRecord, isWordless: boolean): SessionRecord {
    const { planning, feed } = this.#parts
    return watchRecord(record, {
      turn,
      isWordless,
      isPlanning: () => planning.active() !== undefined,
      onBegun: () => turn.answer(feed.accept()),
      onReply: () => {
        this.replies.here++
      },
    })
  }

  async #recordNotes(runtime: Runtime, thread: OpenedSessionThread): Promise<void> {
    const { shownNotes } = this.#parts.runtime
    for (const text of runtime.notes) if (!shownNotes.has(text)) await thread.record.append(noteDraft(text))
  }

  /**
   * Returns the steering messages and the notes for the model that arrived since the last request
   * to the model.
   */
  async #takeSteering(thread: OpenedSessionThread, signal: AbortSignal): Promise<ModelMessage[]> {
    const { queue, notes, userCalls } = this.#parts
    const messages: ModelMessage[] = []
    for (const message of await queue.takeAll('steer')) {
      await userCalls.readAttachments(thread, message, signal)
      messages.push(...notes.take(), { role: 'user', content: message.content })
    }
    return [...messages, ...notes.take()]
  }

  /**
   * Returns the limits of the profile and the session. Without a turn limit of the session, adds the `steps`
   * of this run to the turn limit of the profile, so that the process that continues the run gets the
   * complete turn limit again.
   */
  #limits(steps: number) {
    const { agent, limits } = this.#parts.settings
    return { limits: agent.profile.limits, maxTurns: limits.maxTurns ?? agent.profile.maxTurns + steps }
  }

  /** Reports a changed mode to the clients, because the model may begin and end planning as well. */
  async #tellPlanning(): Promise<void> {
    const { planning, settings, feed, thread } = this.#parts
    const mode = planning.active() === undefined ? settings.agent.mode : 'plan'
    if (mode !== feed.view.mode) await thread.report({ type: 'session.changed', payload: { mode } })
  }
}

const noteDraft = (text: string): EventDraft => ({ type: 'model.notice', payload: { code: 'note', text } })
