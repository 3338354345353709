// A child or connection that is made on first use and made again a few times after it broke, with growing
// pauses.
import { FailureError } from '../base/errors.ts'

/** Starts of a process after the first one. */
const maxRestarts = 3
const backoffMs = 500
const maxPauseMs = 8000

export interface RestartableProcess<T> {
  /**
   * The living one; starts it when there is none. Rejects with what `start` threw, or FailureError
   * `unavailable`.
   */
  get(): Promise<T>
  /** To be called when it has ended by itself after its start had succeeded. */
  broke(): void
  /** Lets go of one that lives but is of no use any more; the next `get` starts another, without counting. */
  drop(made: T): void
  /** The one that lives or is being started, without starting any. */
  readonly current: Promise<T> | undefined
  /** Aborted by `close`; starts nothing after it. */
  readonly closing: AbortSignal
  close(): void
}

/**
 * `what` names it in the failure that says it is not started again: `the MCP server x`. A start that fails
 * counts as broken. `maxStarts` is how often it is started after the first time; for what lies elsewhere
 * there is no such limit.
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
  const broke = () => {
    breaks++
    brokeAt = performance.now()
    live = undefined
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
      const made = begin()
      live = made
      made.then(
        (one) => {
          value = one
        },
        () => {
          if (live === made) broke()
        },
      )
      return made
    },
    broke,
    drop(made) {
      if (value === made) live = undefined
    },
    get current() {
      return live
    },
    closing: closing.signal,
    close: () => closing.abort(),
  }
}
