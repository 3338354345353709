// Why a conversation must not go on, decided outside of the model: by budget, clock, a person, or a lost
// lease.

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

export function createSessionStop(check: () => Promise<TaskStop | undefined>): SessionStop {
  const controller = new AbortController()
  let stopped: TaskStop | undefined
  const stop = (why: TaskStop) => {
    stopped ??= why
    if (why.why !== 'budget') controller.abort(new Error(why.why))
  }
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
