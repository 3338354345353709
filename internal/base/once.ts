// A value that is created on first use.

/**
 * Returns a function that calls `make` the first time and returns the same value each time. A rejected
 * promise stays rejected; if `make` throws, the next call tries again.
 */
export function once<T>(make: () => T): () => T {
  let result: { value: T } | undefined
  return () => {
    result ??= { value: make() }
    return result.value
  }
}
