// The running calls of a session: their permissions, their cancellation, and the user's own calls.
import type { CommandReply } from '../../session/client.ts'
import type { RunningCall } from '../../session/snapshot.ts'
import type { Ctx } from '../../tool/ctx.ts'
import type { SessionJobs } from '../../tool/jobs.ts'
import type { AgentSettings } from './agent-settings.ts'
import type { ModelNotes } from './model-notes.ts'
import type { PendingAnswers } from './pending-answers.ts'
import type { SessionFeedView } from './session-feed-view.ts'

interface UserCall {
  stop: AbortController
  ended: Promise<void>
}

interface CallParts {
  settings: AgentSettings
  answers: PendingAnswers
  feed: SessionFeedView
  jobs: SessionJobs
  notes: ModelNotes
}

export class SessionCalls {
  /** Calls that the user started. */
  readonly byUser = new Set<UserCall>()
  /** Abort controllers that stop single calls, by the ID of the call. */
  readonly #stops = new Map<string, AbortController>()
  readonly #parts: CallParts

  constructor(parts: CallParts) {
    this.#parts = parts
  }

  /**
   * Returns the context with the current mode, rules and directories of the session, and a signal for each
   * call that can end the call.
   */
  adaptCtx(ctx: Ctx): Ctx {
    const { settings, answers, feed } = this.#parts
    const { roots } = ctx.policy
    const added = settings.addedDirs.filter((dir) => !roots.added.includes(dir))
    const policy = {
      ...ctx.policy,
      mode: settings.agent.mode,
      roots: { ...roots, added: [...roots.added, ...added] },
    }
    return {
      ...ctx,
      policy,
      gate: {
        ...ctx.gate,
        answers: async () => [...(await ctx.gate.answers()), ...answers.rules.values()],
        callSignal: (call, signal) => {
          const stop = new AbortController()
          this.#stops.set(call, stop)
          return AbortSignal.any([signal, stop.signal])
        },
      },
      can: { ...ctx.can, processes: { ...ctx.can.processes, showOutput: feed.showOutput } },
    }
  }

  /** Removes the abort controllers of calls that have finished. */
  forgetEnded(): void {
    for (const call of this.#stops.keys()) if (!this.#parts.feed.hasCall(call)) this.#stops.delete(call)
  }

  /** Ends the user's calls with this reason. Resolves when they have ended. */
  async endOwn(reason: string): Promise<void> {
    const calls = [...this.byUser]
    for (const { stop } of calls) stop.abort(new Error(reason))
    await Promise.all(calls.map(({ ended: callEnd }) => callEnd))
  }

  /**
   * Ends one call; other calls continue. `name` is the id of a call, the thread of a subagent, or a
   * background job. If the model made the call, the model gets a note about it. Replies `not_found` if
   * nothing of this name runs.
   */
  stop(name: string): CommandReply {
    const { feed, notes, jobs } = this.#parts
    const running = feed.view.calls.find(({ call }) => call === this.#callOf(name))
    const stop = running && this.#stops.get(running.call)
    if (running && stop) {
      if (!running.byPerson) notes.add(noteOf(running))
      stop.abort(new Error('the user has stopped it'))
      return feed.accept()
    }
    const job = jobs.opened?.find(name)
    if (!job?.running) return { ok: false, code: 'not_found', message: 'this has ended already' }
    // The end is recorded when all processes of the job have ended, which takes seconds.
    void jobs.opened?.stop(name)
    return feed.accept()
  }

  /** Returns the id of the call that started the subagent of thread `name`, otherwise `name`. */
  #callOf(name: string): string {
    const { blocks } = this.#parts.feed.view
    const block = blocks.findLast((one) => one.kind === 'call' && one.child === name)
    return block?.kind === 'call' ? block.id : name
  }
}

const noteOf = ({ tool }: RunningCall) =>
  `[the user has stopped the call of ${tool}; what it had done until then stays. ` +
  'Do not repeat it without being asked.]'
