// The state that every client of a session sees: one view made from events, and the feed of these events.
import { createUlid } from '../../base/ids.ts'
import type { Event, EventDraft } from '../../event/event.ts'
import { createCommandOutput } from '../../runtime/processes/command-output.ts'
import type { CommandReply, SessionEvent } from '../../session/client.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import { emptyView, type SessionView, takeSnapshot } from '../../session/view/session-view.ts'
import type { SessionJobs } from '../../tool/jobs.ts'
import { createSessionFeed, type FeedReader, type SessionFeed } from './session-feed.ts'

type AcceptedReply = Extract<CommandReply, { ok: true }>

export class SessionFeedView {
  view: SessionView
  /** Background jobs, whose output is shown too. Undefined until the session sets it when it opens. */
  jobs: Pick<SessionJobs, 'opened'> | undefined
  /** Shows the output of a command while it runs. */
  readonly showOutput: (call: string, chunk: Uint8Array) => void
  readonly #feed: SessionFeed = createSessionFeed()
  readonly #closing: AbortSignal

  /** `closing` aborts when the session begins to close. After that, `change` has no effect. */
  constructor(thread: string, closing: AbortSignal) {
    this.view = emptyView(thread)
    this.#closing = closing
    // output of a running job is shown even if the view does not contain the job yet, because it
    // can print first
    this.showOutput = createCommandOutput(
      (event) => this.publish(event),
      (name) => this.hasCall(name) || this.jobs?.opened?.find(name)?.running === true,
    )
  }

  /** Adds an event to the view and sends it to every client. `pos` is the position of a stored event. */
  publish(event: Event, pos?: number): void {
    const sessionEvent: SessionEvent = pos === undefined ? event : { ...event, pos }
    this.view = foldSessionEvent(this.view, sessionEvent)
    this.#feed.publish(sessionEvent)
  }

  /** Shows an event that is not stored. */
  show(draft: EventDraft): void {
    this.publish({ ...draft, id: createUlid(), run_id: '', seq: 0, ts: Date.now() })
  }

  /** Changes the view without an event, and sends every client the new snapshot. */
  change(change: (view: SessionView) => SessionView): void {
    if (this.#closing.aborted) return
    this.view = change(this.view)
    this.#feed.publish({ type: 'session.snapshot', payload: takeSnapshot(this.view) })
  }

  /** Collects events from now on. They are delivered when `read` of the reader is iterated. */
  subscribe(signal: AbortSignal): FeedReader {
    return this.#feed.subscribe(signal)
  }

  /** Ends every reader after it has read the remaining events. */
  close(): void {
    this.#feed.close()
  }

  hasCall(call: string): boolean {
    return this.view.calls.some((one) => one.call === call)
  }

  accept(message?: string): AcceptedReply {
    return { ok: true, pos: this.view.pos, message }
  }
}
