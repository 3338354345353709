// The thread of a subagent: stored events, then new ones until the subagent has ended.
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionEvent } from '../../../session/client.ts'
import type { Store } from '../../../store/store.ts'
import { demandChild } from '../../threads/subagent-threads.ts'

/** Milliseconds between two reads of the store, which has no notifications for the subagent's events. */
const lookMs = 400

interface ChildOptions {
  parent: string
  child: string
  /** The client knows the events up to this position. */
  after: number
  isRunning(child: string): boolean | Promise<boolean>
}

/**
 * Yields the subagent's events after the position `after`, until it ends or `signal` aborts. Throws
 * FailureError `not_found` for a thread that the parent has not started.
 */
export async function* readChildEvents(
  store: Store,
  { parent, child, after, isRunning }: ChildOptions,
  signal: AbortSignal,
): AsyncGenerator<SessionEvent, void> {
  demandChild(store, parent, child)
  for (let from = after; !signal.aborted; ) {
    // the state is checked before the read, so that the last events are read after the end of the subagent
    const isAtWork = await isRunning(child)
    const page = store.threads.events(child, from, 500)
    yield* page
    from = page.at(-1)?.pos ?? from
    if (page.length > 0) continue
    if (!isAtWork) return
    // this wait can only fail because the signal aborts, which ends the loop
    await sleep(lookMs, undefined, { signal }).catch(() => undefined)
  }
}
