// Reasons to stop a conversation, decided outside of the model: budget, clock, the user, or a lost lease.
import { setMaxListeners } from 'node:events'

/**
 * Milliseconds for the current step after the user stops the study. That is enough for a search and too short
 * for a silent model. The end has to finish within two seconds.
 */
const stopGraceMs = 500

/**
 * Milliseconds for the current step if no user waits: a paid response is worth some seconds, but
 * the process must end.
 */
export const orphanGraceMs = 8_000

/** Returns a signal that aborts `graceMs` after `stopSignal`. */
export function createCutSignal(stopSignal: AbortSignal, graceMs = stopGraceMs): AbortSignal {
  const cut = new AbortController()
  setMaxListeners(0, cut.signal)
  const begin = () => setTimeout(() => cut.abort(stopSignal.reason), graceMs).unref()
  if (stopSignal.aborted) begin()
  else stopSignal.addEventListener('abort', begin, { once: true })
  return cut.signal
}

export type TaskStop =
  /** `left`: total tokens that one final response may use. */
  | { why: 'budget'; detail: string; left?: number }
  | { why: 'deadline' }
  /** The deadline is near, so the session has to report its findings now. */
  | { why: 'late' }
  | { why: 'cancelled' }
  | { why: 'fenced' }
  | { why: 'stalled' }

/** Thrown if another worker has the task by now. All current work is dropped without a trace. */
export class FencedError extends Error {
  override readonly name = 'Fenced'

  constructor() {
    super('the task was given to another worker')
  }
}

/** Reason for the stop of a session, and the signal that ends its current work. */
export interface SessionStop {
  readonly signal: AbortSignal
  readonly stopped: TaskStop | undefined
  /** Stops the session. The first reason counts. A used-up budget does not end current work. */
  stop(why: TaskStop): void
  /**
   * Checks for a stop. A request to end takes effect between two steps; within a step its calls may finish.
   */
  check(isBetweenSteps: boolean): Promise<void>
}

/** Creates the stop. `cut` ends current work as a request to stop. */
export function createSessionStop(
  check: () => Promise<TaskStop | undefined>,
  cut: AbortSignal | undefined,
): SessionStop {
  const controller = new AbortController()
  let stopped: TaskStop | undefined
  const stop = (why: TaskStop) => {
    stopped ??= why
    if (why.why !== 'budget') controller.abort(new Error(why.why))
  }
  if (cut?.aborted) stop({ why: 'cancelled' })
  cut?.addEventListener('abort', () => stop({ why: 'cancelled' }), { once: true })
  return {
    signal: controller.signal,
    get stopped() {
      return stopped
    },
    stop,
    async check(isBetweenSteps) {
      const why = await check()
      if (why && (isBetweenSteps || (why.why !== 'cancelled' && why.why !== 'late'))) stop(why)
    },
  }
}
