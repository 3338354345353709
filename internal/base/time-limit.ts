// A signal that aborts after a time, safe to combine with others.

/** setTimeout takes no more: about 24 days. */
const longestMs = 2 ** 31 - 1

/**
 * As `AbortSignal.timeout`, which Node 20 collects before it fires when only an `AbortSignal.any` looks at it. Does
 * not keep the process alive. The reason is a DOMException `TimeoutError`.
 */
export function timeLimit(ms: number): AbortSignal {
  const over = new AbortController()
  const fire = () => over.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  setTimeout(fire, Math.min(longestMs, Math.max(0, ms))).unref()
  return over.signal
}
