// Lists that are made as far as somebody looks: what a person has to judge may be longer than anybody reads.

export interface LazyList<T> {
  /** How many are made by now. */
  readonly length: number
  /** Whether these are all. */
  readonly isWhole: boolean
  /** The one at this place from 0 on; makes all up to it and some more, and with `Infinity` all there are. */
  at(place: number): T | undefined
  /** As of an array, with places from 0 on. */
  slice(start: number, end: number): T[]
}

/** Made at once; a list of no more is whole from the start. */
const ahead = 500

/** Items as they come, each made once. A list that is one already stays the same. */
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
  // one more than is shown as known tells whether there are more
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

/** Items that are made anew by whoever goes through them. */
export const iterateAnew = <T>(make: () => Iterable<T>): Iterable<T> => ({
  [Symbol.iterator]: () => make()[Symbol.iterator](),
})
