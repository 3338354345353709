// The rendering of a run: events are folded into a view, and a look returns lines for each step.
import type { SessionEvent } from '../../session/client.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import { emptyView, type SessionView } from '../../session/view/session-view.ts'

/** One event, with the view before and after it. */
export interface RunStep {
  event: SessionEvent
  before: SessionView
  view: SessionView
}

export interface RunDrawing {
  /** Lines that are complete with the event. */
  lines: readonly string[]
  /**
   * The kind of the lines, for a host that separates them: response text, a call or notice, or
   * the run's frame.
   */
  part?: 'words' | 'call' | 'frame'
  /** The current work; `since` is set if its time is shown. Default: no current work. */
  live?: { text: string; since?: number }
}

/** A function that draws a step: for a pipe, for a screen reader, or for a terminal. */
export type RunLook = (step: RunStep) => RunDrawing

interface RunView {
  readonly view: SessionView
  /** Folds the event and returns the lines that it completes. Call it once for each event, in order. */
  take(event: SessionEvent): RunDrawing
  /** Folds the event without drawing it, because it happened before the host started to show the run. */
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
