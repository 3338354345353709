// Lists whose items are made on demand, because text that a user must review may be very long.

export interface LazyList<T> {
  /** Number of items that exist so far. */
  readonly length: number
  /** Whether all items have been made. */
  readonly isWhole: boolean
  /**
   * Returns the item at an index from 0, or undefined after the end. Makes all items up to it and some more,
   * with `Infinity` all of them.
   */
  at(place: number): T | undefined
  /** Returns items like `slice` of an array, with indexes from 0. */
  slice(start: number, end: number): T[]
}

/** Number of items that are made in one step. A shorter list is complete from the start. */
const ahead = 500

/** Returns a list that makes each item once. A lazy list is returned unchanged. */
export function listLazily<T>(items: Iterable<T> | LazyList<T>): LazyList<T> {
  if ('isWhole' in items) return items
  const made: T[] = []
  const rest = items[Symbol.iterator]()
  let isWhole = false
  const makeTo = (count: number) => {
    while (!isWhole && made.length < count) {
      const next = rest.next()
      if (next.done) isWhole = true
      else made.push(next.value)
    }
  }
  // one more item than shown reveals whether more follow
  makeTo(ahead + 1)
  return {
    get length() {
      return made.length
    },
    get isWhole() {
      return isWhole
    },
    at(place) {
      if (place >= made.length) makeTo((Math.floor(place / ahead) + 1) * ahead + 1)
      return made[place]
    },
    slice(start, end) {
      this.at(end - 1)
      return made.slice(start, end)
    },
  }
}

/** Returns an iterable that makes its items anew for each iteration. */
export const iterateAnew = <T>(make: () => Iterable<T>): Iterable<T> => ({
  [Symbol.iterator]: () => make()[Symbol.iterator](),
})
