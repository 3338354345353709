// What a store has recorded since it was asked for last, counted.

/** Counted from the first time on. */
export interface RecordedActivity {
  /** Replies of models. */
  turns: number
  tokens: { input: number; cacheRead: number; cacheWrite: number; output: number }
  /** How many by `ok` or the code of the failure. */
  calls: ReadonlyMap<string, number>
  callSeconds: readonly number[]
  /** How many runs by their end. */
  ends: ReadonlyMap<string, number>
  runSeconds: readonly number[]
  /** What waits now: messages that nobody has read, tasks of studies that nobody has taken. */
  queued: { mail: number; study: number }
}
