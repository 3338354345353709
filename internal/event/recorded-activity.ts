// The activity that a store has recorded since the previous query.

/** Counts and durations of the events since the previous query. */
export interface RecordedActivity {
  /** Number of responses of models. */
  turns: number
  tokens: { input: number; cacheRead: number; cacheWrite: number; output: number }
  /** Number of calls by `ok` or the failure code. */
  calls: ReadonlyMap<string, number>
  callSeconds: readonly number[]
  /** Number of runs by their end. */
  ends: ReadonlyMap<string, number>
  runSeconds: readonly number[]
  /**
   * Number of waiting items at the time of the query: unread messages, and study tasks that no
   * worker has claimed.
   */
  queued: { mail: number; study: number }
}
