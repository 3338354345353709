// The turns of a session: each begins with what the user says; queued messages follow as runs of their own.
import { messageOf, UserError } from '../../base/errors.ts'
import { threadTitleOf } from '../../runtime/run/run-thread.ts'
import type { CommandReply } from '../../session/client.ts'
import type { AgentSettings } from './agent-settings.ts'
import { handedOver, isHandedOver, type SessionDeparture } from './handover/departure.ts'
import { type MessageQueue, type SessionMessage, splitContent } from './message-queue.ts'
import { findModelObstacle } from './session-agent.ts'
import type { SessionCalls } from './session-calls.ts'
import type { SessionFeedView } from './session-feed-view.ts'
import { type RunStart, type SessionRuns, stoppedBefore } from './session-runs.ts'
import type { SessionThread } from './session-thread.ts'
import { SessionTurn } from './turn.ts'
import type { WatchedJobs } from './watched-jobs.ts'

interface TurnParts {
  feed: SessionFeedView
  settings: AgentSettings
  thread: SessionThread
  queue: MessageQueue
  jobs: WatchedJobs
  calls: SessionCalls
  runs: SessionRuns
  /** Aborts when the session begins to close. */
  closing: AbortSignal
}

export class SessionTurns {
  /** The turn, or what excludes one, that is under way. */
  running: SessionTurn | undefined
  /** Present while the run is to continue in another process, and once it does. */
  departure: SessionDeparture | undefined
  readonly #parts: TurnParts

  constructor(parts: TurnParts) {
    this.#parts = parts
    parts.jobs.onEnd(() => this.#wake())
  }

  /** Begins a run, or queues the message while one is under way. Resolves once the message is recorded. */
  async say(message: SessionMessage): Promise<CommandReply> {
    const { feed, settings } = this.#parts
    const { text, images } = splitContent(message.content)
    const isEmpty = text.trim() === '' && images.length === 0
    // what is said to a run that was interrupted, or that has ended already, starts the next one
    if (this.#isEnding()) await this.running?.ended
    if (this.running && !isEmpty) return this.queue('queue', message)
    if (isEmpty && feed.view.queue.length === 0)
      return { ok: false, code: 'bad_args', message: 'there is nothing to say' }
    const obstacle = await findModelObstacle(settings.agent, text)
    if (obstacle && !isEmpty)
      return { ok: false, code: 'no_model', message: obstacle, hint: '/model sets one up' }
    // another message may have begun one meanwhile
    if (this.running) return isEmpty ? feed.accept() : this.queue('queue', message)
    return this.#begin(isEmpty ? undefined : message)
  }

  /** Resolves once the message is recorded. */
  async queue(kind: 'steer' | 'queue', message: SessionMessage): Promise<CommandReply> {
    if (!this.running) return this.say(message)
    const { thread, queue, feed } = this.#parts
    await thread.open(threadTitleOf(message.content))
    await queue.add(kind, message)
    return feed.accept()
  }

  /** Continues what a run has left that was cut off. Resolves once it has begun. */
  resume(): Promise<CommandReply> {
    return this.#begin('rest')
  }

  /** Ends the run here, so that it continues elsewhere: at the end of a step nothing of it is lost. */
  leave(): void {
    if (!this.departure || !this.running?.isOnRecord) return
    this.departure.phase = 'leaving'
    this.running.stop.abort(handedOver)
  }

  /** Why nothing can begin now because another process works on the thread. */
  async meetOtherDriver(): Promise<CommandReply | undefined> {
    return this.running?.isOnRecord ? undefined : this.#parts.thread.meetOtherDriver()
  }

  /** Does work that excludes runs; what it throws is thrown here. */
  async exclude<T>(work: (turn: SessionTurn) => Promise<T>): Promise<T> {
    const turn = this.#open()
    const done = work(turn).finally(() => this.#close())
    turn.ended = done.then(
      () => undefined,
      () => undefined,
    )
    return done
  }

  #open(): SessionTurn {
    const turn = new SessionTurn()
    this.running = turn
    this.#parts.thread.runSignal = turn.signal
    return turn
  }

  #close(): void {
    this.running = undefined
    this.#parts.thread.runSignal = undefined
  }

  #beforeStep(): void {
    if (this.departure?.phase === 'waiting') this.leave()
  }

  /** Whether the run ends without a look at the queue. */
  #isEnding(): boolean {
    const turn = this.running
    if (!turn || isHandedOver(turn.signal)) return false
    return turn.isUnfinished || turn.signal.aborted
  }

  /** Begins a run for what has ended in the background while no run was under way. */
  #wake(): void {
    const { jobs, closing } = this.#parts
    if (this.running || closing.aborted || this.departure || !jobs.opened?.isWaking()) return
    if (!this.#wasCutOff()) void this.#begin('jobs')
  }

  /** After a stop the next message of the user starts a run; the model hears about ended jobs then. */
  #wasCutOff(): boolean {
    const last = this.#parts.feed.view.blocks.findLast((block) => block.kind === 'end')
    return last !== undefined && last.end !== 'done'
  }

  #begin(first: RunStart | undefined): Promise<CommandReply> {
    const turn = this.#open()
    turn.ended = this.#runAll(turn, first)
    return turn.reply
  }

  /** Never rejects. */
  async #runAll(turn: SessionTurn, first: RunStart | undefined): Promise<void> {
    const { feed, calls } = this.#parts
    try {
      const refused = await this.#runEach(turn, first)
      turn.answer(refused ?? feed.accept())
    } catch (error) {
      const isStopped = error === turn.signal.reason
      turn.answer(isStopped ? stoppedBefore : refusalOf(error))
      if (!isStopped && !isHandedOver(turn.signal)) await this.#tellError(error)
    } finally {
      this.#close()
      calls.forgetEnded()
    }
  }

  /** The first run and those that follow from the queue. Returns why none could begin. */
  async #runEach(turn: SessionTurn, first: RunStart | undefined): Promise<CommandReply | undefined> {
    const { queue, feed, jobs, closing, runs } = this.#parts
    for (let next = first; ; ) {
      // a stop before this point leaves all messages where they are
      const runtime = await runs.awaitParts(turn.signal)
      const refused = await this.meetOtherDriver()
      if (refused) return refused
      next ??= await queue.takeFirst()
      if (!next) return undefined
      const isDone = await runs.run(turn, runtime, next, () => this.#beforeStep())
      if (!isDone || closing.aborted || this.departure) return undefined
      const isQueued = feed.view.queue.length > 0
      next = !isQueued && jobs.opened?.isWaking() ? 'jobs' : undefined
      if (!next && !isQueued) return undefined
    }
  }

  /** Where even this cannot be recorded it is at least shown. */
  async #tellError(error: unknown): Promise<void> {
    const { feed, thread } = this.#parts
    const message = messageOf(error)
    // a run is over although its end could not be stored: nothing in it can be answered any more
    if (feed.view.run)
      return feed.show({ type: 'run.ended', payload: { end: 'failed', reason: 'unrecorded', message } })
    const draft = { type: 'model.notice', payload: { code: 'error', text: message } } as const
    await thread.report(draft).catch(() => feed.show(draft))
  }
}

function refusalOf(error: unknown): CommandReply {
  const isUsers = error instanceof UserError
  const hint = isUsers && error.hint !== undefined ? { hint: error.hint } : {}
  return { ok: false, code: isUsers ? 'refused' : 'internal', message: messageOf(error), ...hint }
}
