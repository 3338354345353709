// Writes a run's events to its thread before anybody sees them; reads are batched, effects are on disk before
// they happen.
import { createUlid } from '../base/ids.ts'
import type { Event, EventDraft } from '../event/event.ts'
import type { Store } from '../store/store.ts'
import type { SessionRecord } from './session.ts'

/**
 * `show` gets every event once, in order, after it is stored; deltas and progress are shown at once and never
 * stored. Sequence numbers count from 1 over both kinds. `append` resolves when the event is in line; the
 * record of a call that changes something, and whatever a person was asked, is durable by then, and
 * everything else a moment later.
 */
export function createRecorder(
  store: Store,
  thread: string,
  run: string,
  show: (event: Event) => void,
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
    store.threads.append(thread, run, batch)
    for (const event of batch) show(event)
  }
  const flushLate = () => {
    const batch = take()
    try {
      store.threads.append(thread, run, batch)
    } catch {
      // nobody could take it here: it stays in line, and the next flush of the run fails for the same reason
      line = batch
      return
    }
    for (const event of batch) show(event)
  }
  return {
    flush,
    async append(draft) {
      if (draft.type === 'message.delta' || draft.type === 'tool.progress') {
        flush()
        show(stamp(draft))
        return
      }
      line.push(stamp(draft))
      if (mustBeDurable(draft)) flush()
      else overdue ??= setTimeout(flushLate, maxBatchDelayMs).unref()
    },
    async keep(_call, text) {
      return store.blobs.put(Buffer.from(text))
    },
  }
}

/** A read that takes longer is seen while it goes on. */
const maxBatchDelayMs = 150

/** Someone outside waits for these: who is to answer a question has to see it first. */
const flushedTypes: ReadonlySet<EventDraft['type']> = new Set([
  'permission.asked',
  'permission.decided',
  'child.started',
  'run.ended',
])

function mustBeDurable(draft: EventDraft): boolean {
  if (draft.type === 'tool.call') return draft.payload.effect !== 'read'
  return flushedTypes.has(draft.type)
}
