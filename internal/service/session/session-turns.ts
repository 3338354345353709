// The turns of a session, which are sequences of runs. A turn begins with a user message, the end of a
// background command or an interrupted run. Each queued message then gets a separate run.
import { splitContent } from '../../agent/messages.ts'
import { messageOf, UserError } from '../../base/errors.ts'
import { threadTitleOf } from '../../runtime/run/run-thread.ts'
import type { CommandReply } from '../../session/client.ts'
import type { AgentSettings } from './agent-settings.ts'
import { handedOver, isHandedOver, type SessionDeparture } from './handover/departure.ts'
import type { MessageQueue, SessionMessage } from './message-queue.ts'
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

/** The reply to a command that needs a session without an active run. */
export const busyReply: CommandReply = {
  ok: false,
  code: 'busy',
  message: 'a run is active: stop it or wait for its end',
}

export class SessionTurns {
  /** The active turn, or other work during which no turn may begin. */
  running: SessionTurn | undefined
  /**
   * Set while the session tries to give its run to another process; stays set after another process has
   * started to continue the run.
   */
  departure: SessionDeparture | undefined
  readonly #parts: TurnParts

  constructor(parts: TurnParts) {
    this.#parts = parts
    parts.jobs.onEnd(() => this.#wake())
  }

  /**
   * Begins a run, or queues the message during a run. An empty message starts a run with the queued messages.
   * Resolves to the reply when the message is recorded, or to an error reply if there is nothing to say or
   * the model cannot answer the message.
   */
  async say(message: SessionMessage): Promise<CommandReply> {
    const { feed, settings } = this.#parts
    const { text, images } = splitContent(message.content)
    const isEmpty = text.trim() === '' && images.length === 0
    // a message to a run that was interrupted or has ended starts the next run
    await this.ending()
    if (this.running && !isEmpty) return this.queue('queue', message)
    if (isEmpty && feed.view.queue.length === 0)
      return { ok: false, code: 'bad_args', message: 'there is nothing to say' }
    const obstacle = await findModelObstacle(settings.agent, text)
    if (obstacle && !isEmpty)
      return { ok: false, code: 'no_model', message: obstacle, hint: '/model sets one up' }
    // another message may have started a run meanwhile
    if (this.running) return isEmpty ? feed.accept() : this.queue('queue', message)
    return this.#begin(isEmpty ? undefined : message)
  }

  /** Queues a message during a run; otherwise acts like `say`. Resolves when the message is recorded. */
  async queue(kind: 'steer' | 'queue', message: SessionMessage): Promise<CommandReply> {
    if (!this.running) return this.say(message)
    const { thread, queue, feed } = this.#parts
    await thread.open(threadTitleOf(message.content))
    await queue.add(kind, message)
    return feed.accept()
  }

  /** Continues an interrupted run. Resolves when it has begun, or with an error reply if it cannot begin. */
  resume(): Promise<CommandReply> {
    return this.#begin('rest')
  }

  /**
   * Stops the run so that it continues in another process. No work is lost if this is called at the end of a
   * step. Does nothing unless another process is to continue the run and the start of the run is recorded.
   */
  leave(): void {
    if (!this.departure || !this.running?.isOnRecord) return
    this.departure.phase = 'leaving'
    this.running.stop.abort(handedOver)
  }

  /**
   * Returns an error reply if another process works on the thread now, else undefined. Checks nothing during
   * a run of this session that is recorded.
   */
  async meetOtherDriver(): Promise<CommandReply | undefined> {
    return this.running?.isOnRecord ? undefined : this.#parts.thread.meetOtherDriver()
  }

  /**
   * Executes `work` and returns its reply. No run can begin meanwhile; messages that arrive during the work
   * begin a run after it. Returns an error reply, without calling `work`, while a run or other exclusive work
   * is active here, or another process works on the thread. Rejects with the error of `work`.
   */
  async exclude(work: (turn: SessionTurn) => Promise<CommandReply>): Promise<CommandReply> {
    await this.ending()
    if (this.running) return busyReply
    const queued = this.#parts.feed.view.queue.length
    const turn = this.#open()
    const execute = async () => (await this.meetOtherDriver()) ?? work(turn)
    const done = execute().finally(() => this.#close())
    turn.ended = done.then(
      () => undefined,
      () => undefined,
    )
    void turn.ended.then(() => this.#resumeQueue(queued))
    return done
  }

  /**
   * Begins a run if messages were added to the queue, which had `before` messages earlier. Otherwise begins a
   * run for background commands that have ended, if there are any.
   */
  #resumeQueue(before: number): void {
    const { feed, closing } = this.#parts
    if (feed.view.queue.length <= before) this.#wake()
    else if (!this.running && !closing.aborted && !this.departure) void this.#begin(undefined)
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

  /** Resolves at the end of a run that ends without reading the queue; without such a run, at once. */
  async ending(): Promise<void> {
    const turn = this.running
    if (!turn || isHandedOver(turn.signal)) return
    if (turn.isUnfinished || turn.signal.aborted) await turn.ended
  }

  /**
   * Begins a run for background commands that ended while no run was active. Does nothing if the last run did
   * not end as done, or the session closes or is handed off.
   */
  #wake(): void {
    const { jobs, closing } = this.#parts
    if (this.running || closing.aborted || this.departure || !jobs.opened?.isWaking()) return
    if (!this.#wasCutOff()) void this.#begin('jobs')
  }

  /**
   * Returns true if the last run did not finish its task. Then ended background commands do not start a run;
   * they wait for the user's next message.
   */
  #wasCutOff(): boolean {
    const last = this.#parts.feed.view.blocks.findLast((block) => block.kind === 'end')
    return last !== undefined && last.end !== 'done'
  }

  #begin(first: RunStart | undefined): Promise<CommandReply> {
    const turn = this.#open()
    turn.ended = this.#runAll(turn, first)
    return turn.reply
  }

  /** Runs the turn. Never rejects. */
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

  /**
   * Executes the first run, then runs for queued messages and ended jobs, until none is left, one does not
   * end as done, or the session closes or is handed off. Returns an error reply if another process works on
   * the thread, else undefined.
   */
  async #runEach(turn: SessionTurn, first: RunStart | undefined): Promise<CommandReply | undefined> {
    const { queue, feed, jobs, closing, runs } = this.#parts
    for (let next = first; ; ) {
      // a stop before this point leaves all messages in the queue
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

  /**
   * Records an error; if it cannot be recorded, only shows it. If a run is active in the view, shows its end
   * as failed instead.
   */
  async #tellError(error: unknown): Promise<void> {
    const { feed, thread } = this.#parts
    const message = messageOf(error)
    // the run is over although its end could not be stored, so its questions cannot be answered any more
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
