// Time limit and cancellation of an operation that involves a server.
import { FailureError } from '../base/errors.ts'
import { waitAtMost } from '../base/time-limit.ts'

export interface WaitLimit {
  timeoutMs: number
  signal: AbortSignal
}

/**
 * Resolves or rejects as `work` does. Rejects with FailureError `timeout` or `cancelled` if the limit or a
 * cancellation comes first. `what` describes the awaited operation.
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

/** Returns a signal that aborts after the limit or with its signal; the caller has to call `done`. */
export function startAlarm({ timeoutMs, signal }: WaitLimit): { signal: AbortSignal; done(): void } {
  // Node 20 may garbage-collect an AbortSignal.any of an AbortSignal.timeout before it fires, so
  // a timer aborts
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
