// Time limits: a clock that is never set back, a signal that aborts after a time, and waits that end
// with a signal.

/** Longest delay of setTimeout in milliseconds, about 24 days. */
const maxTimerMs = 2 ** 31 - 1

/**
 * Returns a signal like `AbortSignal.timeout`, which Node 20 garbage-collects too early if only an
 * `AbortSignal.any` refers to it. A longer time than `maxTimerMs` counts as `maxTimerMs`. The signal does not
 * keep the process alive. The reason is a DOMException `TimeoutError`.
 */
export function timeLimit(ms: number): AbortSignal {
  const over = new AbortController()
  const fire = () => over.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  setTimeout(fire, Math.min(maxTimerMs, Math.max(0, ms))).unref()
  return over.signal
}

/**
 * Resolves to `{ value }` of `work`, or to `late` or `aborted` if the time or the signal ends the wait
 * first. A busy process runs its timers before its pipes, so data that has arrived in time still counts.
 * Rejects as `work` does.
 */
export async function waitAtMost<T>(
  work: Promise<T>,
  ms: number,
  signal?: AbortSignal,
): Promise<{ value: T } | 'late' | 'aborted'> {
  // a rejection of work that is no longer awaited must not go unhandled
  work.catch(() => undefined)
  let stop: (() => void) | undefined
  const end = new Promise<'late' | 'aborted'>((resolve) => {
    const timer = setTimeout(() => setImmediate(resolve, 'late'), Math.min(maxTimerMs, Math.max(0, ms)))
    const abort = () => resolve('aborted')
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
    stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  })
  try {
    return await Promise.race([work.then((value) => ({ value })), end])
  } finally {
    stop?.()
  }
}

/**
 * Resolves to the value or rejects as `work` does, or rejects with the abort's reason if the
 * signal comes first.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // if the signal comes first, a later rejection of the work must not go unhandled
  work.catch(() => undefined)
  signal.throwIfAborted()
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (stop) signal.removeEventListener('abort', stop)
  }
}

/**
 * Returns the result of `work`, called with a new signal that aborts with `signal`. When `work` has ended,
 * its listener on `signal` is removed.
 */
export async function withOwnSignal<T>(
  signal: AbortSignal,
  work: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const forward = () => controller.abort(signal.reason)
  signal.addEventListener('abort', forward, { once: true })
  if (signal.aborted) forward()
  try {
    return await work(controller.signal)
  } finally {
    signal.removeEventListener('abort', forward)
  }
}

export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/**
 * Returns milliseconds of a clock that changes of the system's time do not affect. Only differences
 * have a meaning.
 */
export function monotonicNow(): number {
  // `performance` is avoided, because its first use loads a module of Node that nothing else needs
  return Number(process.hrtime.bigint()) / 1e6
}
