// Why a conversation must not go on, decided outside of the model: by budget, clock, a person, or a lost lease.

export type TaskStop =
  | { why: 'budget'; detail: string }
  | { why: 'deadline' }
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
