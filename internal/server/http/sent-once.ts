// Work that a client may ask for again, unsure whether it has come: done once for each id.

const maxKnown = 1_000

/** The outcome of the first work with the same key, a failure too. Without a key all is new. */
export function onceById<T>(): (key: string | undefined, work: () => Promise<T>) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (key, work) => {
    if (key === undefined) return work()
    const before = known.get(key)
    if (before) return before
    const outcome = work()
    known.set(key, outcome)
    const [oldest] = known.keys()
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest)
    return outcome
  }
}
