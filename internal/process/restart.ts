// A child or connection that starts on first use and restarts after failures with growing pauses. A child
// restarts only a few times.
import { FailureError } from '../base/errors.ts'

/** Default for the largest number of restarts of a process. After that, `get` rejects. */
const maxRestarts = 3
const backoffMs = 500
const maxPauseMs = 8000

export interface RestartableProcess<T> {
  /**
   * Returns the running child or connection, or starts one, after a failure with a pause. Rejects with the
   * error of `start`, with FailureError `unavailable` after too many failures, or because of `close`.
   */
  get(): Promise<T>
  /** Reports that the child has ended by itself after a successful start. */
  broke(): void
  /**
   * Drops a child that runs but is unusable, if it is still the current one; the caller closes it. The next
   * `get` starts another one, which does not count as a restart.
   */
  drop(made: T): void
  /** The child that runs or is starting; undefined without one. Reading this field starts nothing. */
  readonly current: Promise<T> | undefined
  /** Aborted by `close`, after which nothing starts. */
  readonly closing: AbortSignal
  close(): void
}

/**
 * Creates a restarter, which starts nothing yet. `what` names the child in the failure after the last
 * restart: `the MCP server x`. A failed start counts as a failure too. `maxStarts` is the largest number of
 * restarts; remote servers have no such limit.
 */
export function restartProcess<T>(
  what: string,
  start: () => Promise<T>,
  maxStarts = maxRestarts,
): RestartableProcess<T> {
  let live: Promise<T> | undefined
  let value: T | undefined
  let breaks = 0
  let brokeAt = 0
  const closing = new AbortController()
  // `value` must not outlive `live`: a second drop of it would otherwise drop the next child, whose start is
  // still pending and which then nothing closes.
  const forgetChild = () => {
    live = undefined
    value = undefined
  }
  const broke = () => {
    breaks++
    brokeAt = performance.now()
    forgetChild()
  }
  const begin = async (): Promise<T> => {
    closing.signal.throwIfAborted()
    if (breaks > maxStarts) {
      const message = `${what} has ended ${breaks} times and is not started again`
      throw new FailureError({ code: 'unavailable', message, hint: 'see `anode doctor`' })
    }
    const growing = Math.min(maxPauseMs, backoffMs * 2 ** (breaks - 1))
    const pause = breaks === 0 ? 0 : brokeAt + growing - performance.now()
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
    closing.signal.throwIfAborted()
    return start()
  }
  return {
    get() {
      if (live) return live
      const startPromise = begin()
      live = startPromise
      startPromise.then(
        (one) => {
          if (live === startPromise) value = one
        },
        () => {
          if (live === startPromise) broke()
        },
      )
      return startPromise
    },
    broke,
    drop(oldValue) {
      if (value === oldValue) forgetChild()
    },
    get current() {
      return live
    },
    closing: closing.signal,
    close: () => closing.abort(),
  }
}
