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
 * everything else a moment later.
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
  let overdue: NodeJS.Timeout | undefined
  const take = () => {
    clearTimeout(overdue)
    overdue = undefined
    const batch = line
    line = []
    return batch
  }
  const flush = () => {
    const batch = take()
    if (batch.length === 0) return
    const stored = store.threads.append(thread, run, batch)
    for (const [at, event] of batch.entries()) show(event, stored[at]?.pos)
  }
  const flushLate = () => {
    const batch = take()
    let stored: ReturnType<Store['threads']['append']>
    try {
      stored = store.threads.append(thread, run, batch)
    } catch {
      // nobody could take it here: it stays in line, and the next flush of the run fails for the same reason
      line = batch
      return
    }
    for (const [at, event] of batch.entries()) show(event, stored[at]?.pos)
  }
  return {
    flush,
    async append(draft) {
      if (unstoredTypes.has(draft.type)) {
        flush()
        show(stamp(draft))
        return
      }
      line.push(stamp(draft))
      if (mustBeDurable(draft)) flush()
      else overdue ??= setTimeout(flushLate, maxBatchDelayMs).unref()
    },
    async keep(_call, content) {
      return store.blobs.put(Buffer.from(content))
    },
  }
}

/** A read that takes longer is seen while it goes on. */
const maxBatchDelayMs = 150

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
