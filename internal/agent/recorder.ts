// Writes a run's events to its thread before anybody sees them; reads are batched, effects are on disk before
// they happen.
import { createUlid } from '../base/ids.ts'
import type { Event, EventDraft } from '../event/event.ts'
import type { Store } from '../store/store.ts'
import type { SessionRecord } from './session.ts'

/**
 * `show` gets every event once, in order, after it is stored, with its place in the thread; deltas and
 * progress are shown at once and never
 * stored. Sequence numbers count from 1 over both kinds. `append` resolves when the event is in line; the
 * record of a call that changes something, and whatever a person was asked, is durable by then, and
 * everything else as soon as nothing more comes for a moment.
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
  /** What could not be stored stays in line. */
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
      // nobody could take it here: it is for the run, which looks before its next request and at its end
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

/** So long nothing more comes while a model works, or a read. */
const pauseMs = 10

/** Never does an event stay in line for longer. */
const maxBatchDelayMs = 30

/**
 * Calls `work` once `put` has not been called for a moment: a turn that takes two milliseconds does not wait
 * for the disk, and many of them share one commit.
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

const unstoredTypes: ReadonlySet<EventDraft['type']> = new Set([
  'message.delta',
  'tool.progress',
  'tool.output',
  'permission.preview',
])

/** Someone outside waits for these: who is to answer a question has to see it first. */
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
