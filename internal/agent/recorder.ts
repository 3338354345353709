// Recorder that stores a run's events in its thread before any client sees them. Most events are stored in
// batches within 30 ms. A call that changes something is stored on the disk before it runs.
import { createUlid } from '../base/ids.ts'
import type { Event, EventDraft } from '../event/event.ts'
import type { Store } from '../store/store.ts'
import type { SessionRecord } from './session.ts'

/**
 * Creates a recorder. `show` gets every event once, in order, with its position in the thread after it is
 * stored. Events of `unstoredTypes`, such as progress and pieces of a response, are shown at once and never
 * stored. Sequence numbers count stored and unstored events together, from 1. `append` resolves when the
 * event is queued. By then, calls with effects and events of `flushedTypes`, such as questions, are on the
 * disk. Other events follow within about 30 ms.
 */
export function createRecorder(
  store: Store,
  thread: string,
  run: string,
  show: (event: Event, pos?: number) => void,
): SessionRecord {
  let seq = 0
  let line: Event[] = []
  const stamp = (draft: EventDraft): Event => ({
    ...draft,
    id: createUlid(),
    run_id: run,
    seq: ++seq,
    ts: Date.now(),
  })
  let late: { error: unknown } | undefined
  /** Stores the queue. Events that could not be stored stay in it. */
  const flush = () => {
    pause.cancel()
    const before = late
    late = undefined
    if (line.length === 0 && before) throw before.error
    if (line.length === 0) return
    const stored = store.threads.append(thread, run, line)
    const batch = line
    line = []
    for (const [at, event] of batch.entries()) show(event, stored[at]?.pos)
  }
  const pause = awaitPause(() => {
    try {
      flush()
    } catch (error) {
      // a flush after a pause has no caller to catch its error; the run checks `late` before its next request
      // and at its end
      late = { error }
    }
  })
  return {
    flush,
    flushOverdue() {
      if (late) flush()
    },
    async append(draft) {
      if (unstoredTypes.has(draft.type)) {
        flush()
        show(stamp(draft))
        return
      }
      line.push(stamp(draft))
      if (mustBeDurable(draft)) flush()
      else pause.put()
    },
    async keep(_call, content) {
      return store.blobs.put(Buffer.from(content))
    },
  }
}

/**
 * Milliseconds without new events after which the queued events are stored, while a model or a
 * read is running.
 */
const pauseMs = 10

/** Longest time in milliseconds between the arrival of an event in the queue and the attempt to store it. */
const maxBatchDelayMs = 30

/**
 * Returns a timer that calls `work` 10 ms after the last `put`, and at most 30 ms after the first one. So
 * short turns do not wait for the disk, and many turns share one commit.
 */
function awaitPause(work: () => void): { put(): void; cancel(): void } {
  let timer: NodeJS.Timeout | undefined
  let since = 0
  const end = () => {
    timer = undefined
    work()
  }
  return {
    put() {
      if (timer === undefined) {
        since = Date.now()
        timer = setTimeout(end, pauseMs).unref()
      } else if (Date.now() - since < maxBatchDelayMs - pauseMs) timer.refresh()
    },
    cancel() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

export const unstoredTypes: ReadonlySet<EventDraft['type']> = new Set([
  'message.delta',
  'tool.progress',
  'tool.output',
  'permission.preview',
  'check.running',
])

/**
 * Types of events that are stored at once, for example questions, because a client has to see a question
 * before it can answer.
 */
const flushedTypes: ReadonlySet<EventDraft['type']> = new Set([
  'permission.asked',
  'permission.decided',
  'question.asked',
  'question.answered',
  'message.queued',
  'message.unqueued',
  'session.changed',
  'plan.changed',
  'child.started',
  'run.ended',
])

function mustBeDurable(draft: EventDraft): boolean {
  if (draft.type === 'tool.call') return draft.payload.effect !== 'read'
  return flushedTypes.has(draft.type)
}
