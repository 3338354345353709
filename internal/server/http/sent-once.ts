// Work that runs once for each request id, even if a client sends its request again after it did not
// receive the response.

const maxKnown = 1_000

/**
 * Returns a function that runs `work` once for each key. Later calls with the same key return the outcome
 * of the first call, even a failure. Without a key, `work` always runs. Of more than 1,000 keys, the
 * oldest is forgotten.
 */
export function onceById<T>(): (key: string | undefined, work: () => Promise<T>) => Promise<T> {
  const outcomesByKey = new Map<string, Promise<T>>()
  return (key, work) => {
    if (key === undefined) return work()
    const before = outcomesByKey.get(key)
    if (before) return before
    const outcome = work()
    outcomesByKey.set(key, outcome)
    const [oldest] = outcomesByKey.keys()
    if (outcomesByKey.size > maxKnown && oldest !== undefined) outcomesByKey.delete(oldest)
    return outcome
  }
}
