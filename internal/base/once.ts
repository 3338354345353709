// Makes a thing on first use.

/** A function that makes on its first call, then hands out the same promise, a rejected one too. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
