// Lists whose items are made on demand. They serve text that a user must review, which may be very long.

export interface LazyList<T> {
  /** Number of items that have been made so far. */
  readonly length: number
  /** True if all items have been made. */
  readonly isWhole: boolean
  /**
   * Returns the item at an index counted from 0; undefined after the end. Makes all items up to it and some
   * more, with `Infinity` all of them.
   */
  at(place: number): T | undefined
  /** Returns the items in a range like `slice` of an array, with indexes from 0. */
  slice(start: number, end: number): T[]
}

/**
 * Number of items that are made in one step. A list with at most this many items is complete from the start.
 */
const ahead = 500

/** Returns a list that makes each item once. A lazy list is returned unchanged. */
export function listLazily<T>(items: Iterable<T> | LazyList<T>): LazyList<T> {
  if ('isWhole' in items) return items
  const cachedItems: T[] = []
  const rest = items[Symbol.iterator]()
  let isWhole = false
  const makeTo = (count: number) => {
    while (!isWhole && cachedItems.length < count) {
      const next = rest.next()
      if (next.done) isWhole = true
      else cachedItems.push(next.value)
    }
  }
  // One more item than needed is made, which reveals whether more follow.
  makeTo(ahead + 1)
  return {
    get length() {
      return cachedItems.length
    },
    get isWhole() {
      return isWhole
    },
    at(place) {
      if (place >= cachedItems.length) makeTo((Math.floor(place / ahead) + 1) * ahead + 1)
      return cachedItems[place]
    },
    slice(start, end) {
      this.at(end - 1)
      return cachedItems.slice(start, end)
    },
  }
}

/** Returns an iterable that makes its items anew for each iteration. */
export const iterateAnew = <T>(make: () => Iterable<T>): Iterable<T> => ({
  [Symbol.iterator]: () => make()[Symbol.iterator](),
})
