// Limits on how long something may take: a signal that aborts after a time, and waits that end with a signal.

/** setTimeout takes no more: about 24 days. */
const maxTimerMs = 2 ** 31 - 1

/**
 * As `AbortSignal.timeout`, which Node 20 collects before it fires when only an `AbortSignal.any` looks at
 * it. Does not keep the process alive. The reason is a DOMException `TimeoutError`.
 */
export function timeLimit(ms: number): AbortSignal {
  const over = new AbortController()
  const fire = () => over.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  setTimeout(fire, Math.min(maxTimerMs, Math.max(0, ms))).unref()
  return over.signal
}

/**
 * The value of `work`, or `late` and `aborted` when the time or the signal ends the wait first. A busy
 * program comes to its timers before its pipes: what has arrived when the time is over still counts. Rejects
 * as `work` does.
 */
export async function waitAtMost<T>(
  work: Promise<T>,
  ms: number,
  signal?: AbortSignal,
): Promise<{ value: T } | 'late' | 'aborted'> {
  // whoever loses may still fail, and nobody waits for it then
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

/** The value, or the abort's reason, whichever comes first. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // when the signal was first nobody waits for the work any more
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

/** Runs work with a signal that aborts with `signal`; no listener stays at `signal` after the work. */
export async function withOwnSignal<T>(
  signal: AbortSignal,
  work: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const forward = () => own.abort(signal.reason)
  signal.addEventListener('abort', forward, { once: true })
  if (signal.aborted) forward()
  try {
    return await work(own.signal)
  } finally {
    signal.removeEventListener('abort', forward)
  }
}

export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
