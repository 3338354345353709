// One drawing of a run: events are folded into a view, and a look makes lines of each step.
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
  /** What they show, for a host that separates them: a response, a call or notice, the run's frame. */
  part?: 'words' | 'call' | 'frame'
  /** What is under way; `since` where the time that it takes is shown. Default: nothing. */
  live?: { text: string; since?: number }
}

/** How steps are drawn: for progress in a pipe, for lines that are read aloud, or for a terminal. */
export type RunLook = (step: RunStep) => RunDrawing

interface RunView {
  readonly view: SessionView
  /** Folds the event and returns what is complete with it. Call it once for each event, in their order. */
  take(event: SessionEvent): RunDrawing
  /** Folds the event and draws nothing: it happened before the host began to show the run. */
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
