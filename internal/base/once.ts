// A value that is created on first use.

/**
 * Returns a function that calls `make` once and returns its value each time; a rejected
 * promise stays rejected.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
