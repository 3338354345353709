// Reasons to stop a conversation that do not come from the model: budget, clock, the user, or a lost lease.
import { setMaxListeners } from 'node:events'

/**
 * Milliseconds that the current step may take after the user stops the study. They are enough for a search
 * and too few for a silent model, because everything has to end within two seconds.
 */
const stopGraceMs = 500

/**
 * Milliseconds that the current step of a worker process may still take after its input has ended,
 * which means that the coordinator is done or gone. A paid response is worth some seconds, but the
 * process has to end.
 */
export const orphanGraceMs = 8_000

/** Returns a signal that aborts `graceMs` after `stopSignal`. */
export function createCutSignal(stopSignal: AbortSignal, graceMs = stopGraceMs): AbortSignal {
  const cutController = new AbortController()
  setMaxListeners(0, cutController.signal)
  const begin = () => setTimeout(() => cutController.abort(stopSignal.reason), graceMs).unref()
  if (stopSignal.aborted) begin()
  else stopSignal.addEventListener('abort', begin, { once: true })
  return cutController.signal
}

export type TaskStop =
  /** The budget is used up. `left`: number of tokens that one final response may still use. */
  | { why: 'budget'; detail: string; left?: number }
  | { why: 'deadline' }
  /** The deadline is near, so the session has to report its findings now. */
  | { why: 'late' }
  | { why: 'cancelled' }
  | { why: 'fenced' }
  | { why: 'stalled' }

/** Thrown if another worker has the task by now. All work in progress is dropped without recording it. */
export class FencedError extends Error {
  override readonly name = 'Fenced'

  constructor() {
    super('the task was given to another worker')
  }
}

/** Why a session has to stop, and the signal that ends its current work. */
export interface SessionStop {
  readonly signal: AbortSignal
  readonly stopped: TaskStop | undefined
  /**
   * Stops the session. If there are several reasons, the first one counts. A used-up budget does not end
   * the current work.
   */
  stop(why: TaskStop): void
  /**
   * Checks whether the session has to stop. The reasons `cancelled` and `late` take effect only if
   * `isBetweenSteps` is true, so that the calls of a step can finish.
   */
  check(isBetweenSteps: boolean): Promise<void>
}

/**
 * Creates the SessionStop. If `cutSignal` aborts, the session stops with the reason `cancelled`, and its
 * current work ends at once.
 */
export function createSessionStop(
  check: () => Promise<TaskStop | undefined>,
  cutSignal: AbortSignal | undefined,
): SessionStop {
  const controller = new AbortController()
  let stopped: TaskStop | undefined
  const stop = (why: TaskStop) => {
    stopped ??= why
    if (why.why !== 'budget') controller.abort(new Error(why.why))
  }
  if (cutSignal?.aborted) stop({ why: 'cancelled' })
  cutSignal?.addEventListener('abort', () => stop({ why: 'cancelled' }), { once: true })
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
