// Counters of what a store has recorded since the previous query.

/** Counts since the first query. */
export interface RecordedActivity {
  /** Responses of models. */
  turns: number
  tokens: { input: number; cacheRead: number; cacheWrite: number; output: number }
  /** Number of calls by `ok` or the failure code. */
  calls: ReadonlyMap<string, number>
  callSeconds: readonly number[]
  /** Number of runs by their end. */
  ends: ReadonlyMap<string, number>
  runSeconds: readonly number[]
  /** Items that wait now: unread messages, and study tasks that no worker has claimed. */
  queued: { mail: number; study: number }
}
