// The drawing of a run. Each event is added to a view, and a look (drawing function) returns lines
// for each step.
import type { SessionEvent } from '../../session/client.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import { emptyView, type SessionView } from '../../session/view/session-view.ts'

/** One event of a run, with the view before and after it. */
export interface RunStep {
  event: SessionEvent
  before: SessionView
  view: SessionView
}

export interface RunDrawing {
  /** Lines that are complete after this event. */
  lines: readonly string[]
  /**
   * The kind of the lines, for a caller that puts an empty line between different kinds: response text, a
   * call or notice, or the run's frame.
   */
  part?: 'words' | 'call' | 'frame'
  /**
   * The current work of the run; `since` is the time of its start in milliseconds since 1970, if the time is
   * shown. Default: no current work.
   */
  live?: { text: string; since?: number }
}

/** A function that draws one step of a run, for a pipe, for a screen reader, or for a terminal. */
export type RunLook = (step: RunStep) => RunDrawing

interface RunView {
  readonly view: SessionView
  /**
   * Adds the event to the view and returns the lines that it completes. Call it once for each
   * event, in order.
   */
  take(event: SessionEvent): RunDrawing
  /**
   * Adds the event to the view without drawing it, because it happened before the caller began to
   * show the run.
   */
  skip(event: SessionEvent): void
}

export function openRunView(look: RunLook, thread = ''): RunView {
  let view = emptyView(thread)
  const fold = (event: SessionEvent) => {
    view = foldSessionEvent(view, event)
  }
  return {
    get view() {
      return view
    },
    take(event) {
      const before = view
      fold(event)
      return look({ event, before, view })
    },
    skip: fold,
  }
}
