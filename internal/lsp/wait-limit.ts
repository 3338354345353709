// How long anything that a server has a part in may take.
import { FailureError } from '../base/errors.ts'
import { waitAtMost } from '../base/time-limit.ts'

export interface WaitLimit {
  timeoutMs: number
  signal: AbortSignal
}

/**
 * The first of result, time limit and cancellation; the last two are FailureErrors. `what` says what was
 * waited for.
 */
export async function awaitWithin<T>(
  work: Promise<T>,
  { timeoutMs, signal }: WaitLimit,
  what: string,
): Promise<T> {
  const end = await waitAtMost(work, timeoutMs, signal)
  if (typeof end === 'object') return end.value
  throw end === 'late'
    ? new FailureError({
        code: 'timeout',
        message: `${what} took longer than ${Math.round(timeoutMs)} ms`,
      })
    : new FailureError({ code: 'cancelled', message: `${what} was cancelled` })
}

/** A signal that aborts at the end of the limit or with it; whoever got it calls `done`. */
export function startAlarm({ timeoutMs, signal }: WaitLimit): { signal: AbortSignal; done(): void } {
  // AbortSignal.any over AbortSignal.timeout may be collected before it fires (Node 20)
  const over = new AbortController()
  const abort = () => over.abort()
  const timer = setTimeout(abort, timeoutMs)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  return {
    signal: over.signal,
    done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}
