// The thread of a child agent as it grows: what is stored, then what comes until the child has ended.
import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError } from '../../../base/errors.ts'
import type { SessionEvent } from '../../../session/client.ts'
import type { Store } from '../../../store/store.ts'
import type { SessionState } from '../session-state.ts'

/** Between two looks: a child writes to the same store, and nobody is told of it. */
const lookMs = 400

export async function* readChildEvents(
  state: Pick<SessionState, 'view' | 'thread'>,
  store: Store,
  { thread, after }: { thread: string; after: number },
  signal: AbortSignal,
): AsyncGenerator<SessionEvent, void> {
  if (store.threads.get(thread)?.parent !== state.thread.id)
    throw new FailureError({ code: 'not_found', message: `${thread} is no child of this session` })
  for (let from = after; !signal.aborted; ) {
    // asked first: what it wrote before its end is read afterwards
    const isRunning = state.view.children.some((child) => child.thread === thread)
    const page = store.threads.events(thread, from, 500)
    yield* page
    from = page.at(-1)?.pos ?? from
    if (page.length > 0) continue
    if (!isRunning) return
    // only the signal ends it early
    await sleep(lookMs, undefined, { signal }).catch(() => undefined)
  }
}
