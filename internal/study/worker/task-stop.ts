// Why a conversation must not go on, decided outside of the model: by budget, clock, a person, or a lost
// lease.
import { setMaxListeners } from 'node:events'

/**
 * Milliseconds that the step under way may still take once somebody wants the study to stop: enough for a
 * search, too little for a model that says nothing. It has to leave room for the end within two seconds.
 */
const stopGraceMs = 500

/** The same where nobody waits: a reply that is paid is worth some seconds, and no process stays for ever. */
export const orphanGraceMs = 8_000

/** Aborts when the step that was under way at the abort of `stopSignal` has had its time. */
export function createCutSignal(stopSignal: AbortSignal, graceMs = stopGraceMs): AbortSignal {
  const cut = new AbortController()
  setMaxListeners(0, cut.signal)
  const begin = () => setTimeout(() => cut.abort(stopSignal.reason), graceMs).unref()
  if (stopSignal.aborted) begin()
  else stopSignal.addEventListener('abort', begin, { once: true })
  return cut.signal
}

export type TaskStop =
  /** `left`: tokens that one last reply may take in all. */
  | { why: 'budget'; detail: string; left?: number }
  | { why: 'deadline' }
  /** The deadline is near: what was found is to be said now. */
  | { why: 'late' }
  | { why: 'cancelled' }
  | { why: 'fenced' }
  | { why: 'stalled' }

/** The task belongs to somebody else by now; whatever is under way is dropped without a trace. */
export class FencedError extends Error {
  override readonly name = 'Fenced'

  constructor() {
    super('the task was given to another worker')
  }
}

/** Why a session has stopped, if it has, and the signal that ends what is under way. */
export interface SessionStop {
  readonly signal: AbortSignal
  readonly stopped: TaskStop | undefined
  /** The first reason counts. A budget that is used up ends nothing that is under way. */
  stop(why: TaskStop): void
  /** Asks whether to go on; between two steps a wish to end counts, within one its calls may finish. */
  check(isBetweenSteps: boolean): Promise<void>
}

/** `cut`: ends what is under way as a wish to stop. */
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
