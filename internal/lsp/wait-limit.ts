// How long anything that a server has a part in may take.
import { FailureError } from '../base/errors.ts'

export interface WaitLimit {
  timeoutMs: number
  signal: AbortSignal
}

/** The first of result, time limit and cancellation; the last two are FailureErrors. `what` says what was waited for. */
export async function awaitWithin<T>(
  work: Promise<T>,
  { timeoutMs, signal }: WaitLimit,
  what: string,
): Promise<T> {
  const done = new AbortController()
  const late = new Promise<never>((_, reject) => {
    const fail = (code: 'timeout' | 'cancelled', why: string) =>
      reject(new FailureError({ code, message: `${what} ${why}` }))
    const timer = setTimeout(
      () => fail('timeout', `took longer than ${Math.round(timeoutMs)} ms`),
      Math.max(0, timeoutMs),
    )
    const abort = () => fail('cancelled', 'was cancelled')
    done.signal.addEventListener('abort', () => clearTimeout(timer))
    signal.addEventListener('abort', abort, { signal: done.signal })
    if (signal.aborted) abort()
  })
  // whoever loses may still fail, and nobody waits for it then
  work.catch(() => undefined)
  late.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    done.abort()
  }
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
