// Work that a client may ask for again, unsure whether it has come: done once for each id.

const maxKnown = 1_000

/** The outcome of the first, a failure too, for whoever sends the same id. Without an id all is new. */
export function onceById<T>(): (id: string | undefined, work: () => Promise<T>) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (id, work) => {
    if (id === undefined) return work()
    const before = known.get(id)
    if (before) return before
    const outcome = work()
    known.set(id, outcome)
    const [oldest] = known.keys()
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest)
    return outcome
  }
}
