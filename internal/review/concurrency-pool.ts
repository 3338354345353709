// Runner of asynchronous jobs, a few at a time.

/**
 * Runs the jobs, at most `width` at a time, and returns their results in order. After a rejection no further
 * job starts, and the call rejects with the first error when the running ones have ended.
 */
export async function runConcurrently<T>(jobs: readonly (() => Promise<T>)[], width: number): Promise<T[]> {
  const results: T[] = []
  const failures: unknown[] = []
  let next = 0
  const lane = async () => {
    while (next < jobs.length && failures.length === 0) {
      const at = next++
      try {
        results[at] = await (jobs[at] as () => Promise<T>)()
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, jobs.length) }, lane))
  if (failures.length > 0) throw failures[0]
  return results
}
