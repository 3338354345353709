// The thread of a child agent as it grows: what is stored, then what comes until the child has ended.
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionEvent } from '../../../session/client.ts'
import type { Store } from '../../../store/store.ts'
import { demandChild } from '../../threads/subagent-threads.ts'

/** Between two looks: a child writes to the same store, and nobody is told of it. */
const lookMs = 400

interface ChildOptions {
  parent: string
  child: string
  /** Events up to this position are known. */
  after: number
  isRunning(child: string): boolean | Promise<boolean>
}

/** Throws FailureError `not_found` for a thread that the parent has not started. */
export async function* readChildEvents(
  store: Store,
  { parent, child, after, isRunning }: ChildOptions,
  signal: AbortSignal,
): AsyncGenerator<SessionEvent, void> {
  demandChild(store, parent, child)
  for (let from = after; !signal.aborted; ) {
    // asked first: what it wrote before its end is read afterwards
    const isAtWork = await isRunning(child)
    const page = store.threads.events(child, from, 500)
    yield* page
    from = page.at(-1)?.pos ?? from
    if (page.length > 0) continue
    if (!isAtWork) return
    // only the signal ends it early
    await sleep(lookMs, undefined, { signal }).catch(() => undefined)
  }
}
