// Writes a run's events to its thread before anybody sees them; reads are batched, effects are on disk before they happen.
import { ulid } from '../base/ids.ts'
import type { Draft, Event } from '../event/event.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../tool/ctx.ts'

export interface Recorder extends Log {
  /** Makes everything recorded so far durable and hands it out. */
  flush(): void
}

/**
 * `show` gets every event once, in order, after it is stored; deltas and progress are shown at once and never stored. Sequence
 * numbers count from 1 over both kinds. `append` resolves when the event is in line; the record of a call that
 * changes something, and whatever a person was asked, is durable by then.
 */
export function recorder(store: Store, thread: string, run: string, show: (event: Event) => void): Recorder {
  let seq = 0
  let line: Event[] = []
  const stamp = (draft: Draft): Event => ({ ...draft, id: ulid(), run_id: run, seq: ++seq, ts: Date.now() })
  const flush = () => {
    if (line.length === 0) return
    const batch = line
    line = []
    store.threads.append(thread, run, batch)
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
    },
    async keep(_call, text) {
      return store.blobs.put(Buffer.from(text))
    },
  }
}

/** Someone outside waits for these: who is to answer a question has to see it first. */
const atOnce: ReadonlySet<Draft['type']> = new Set([
  'permission.asked',
  'permission.decided',
  'child.started',
  'run.ended',
])

function mustBeDurable(draft: Draft): boolean {
  if (draft.type === 'tool.call') return draft.payload.effect !== 'read'
  return atOnce.has(draft.type)
}
