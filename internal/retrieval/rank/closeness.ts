// Closeness of the words of a question in a passage.

/**
 * Size of a window in characters. Words within one window are about the same subject, as in two sentences or
 * a few lines of a program.
 */
const windowChars = 240

/**
 * Largest number of places that are stored per passage. Further places are dropped, so words there do not
 * count as close together.
 */
const maxPlaces = 160

/**
 * Places of terms in a passage, as pairs of numbers: the position in characters (at most 65,535), and twice
 * the index of the term, plus 1 for a synonym.
 */
export type TermPlaces = Uint16Array

/**
 * Returns a list for the places of one passage. They have to be added in the order of the text. Above the
 * limit, further places are dropped.
 */
export function createPlaceList() {
  const list: number[] = []
  return {
    add(at: number, term: number, weight: number): void {
      if (list.length < 2 * maxPlaces) list.push(Math.min(at, 0xffff), 2 * term + (weight < 1 ? 1 : 0))
    },
    close: (): TermPlaces => Uint16Array.from(list),
  }
}

/** Weight of a synonym relative to the word itself, unless the caller sets another one. */
const synonymShare = 0.5

/**
 * Returns the highest total weight of the terms within one window of the passage. `known` contains the
 * weights of terms in titles, which count in every window.
 */
export function weighClosest(
  places: TermPlaces,
  weights: readonly number[],
  known: ReadonlyMap<number, number>,
  synonymWorth: number = synonymShare,
): number {
  // For each code (twice the index of the term, plus 1 for a synonym) the number of places in the current
  // window. Moving the window changes only these numbers.
  const inside = new Uint16Array(2 * weights.length)
  const weighWindow = () => {
    let sum = 0
    for (let term = 0; term < weights.length; term++) {
      const own = inside[2 * term] ? 1 : inside[2 * term + 1] ? synonymWorth : 0
      sum += (weights[term] as number) * Math.max(own, known.get(term) ?? 0)
    }
    return sum
  }
  let best = weighWindow()
  let first = 0
  for (let last = 0; last < places.length; last += 2) {
    const from = (places[last] as number) - windowChars
    for (; (places[first] as number) < from; first += 2) {
      const gone = places[first + 1] as number
      inside[gone] = (inside[gone] as number) - 1
    }
    const code = places[last + 1] as number
    const before = inside[code] ?? 0
    inside[code] = before + 1
    // only a word that was not in the window yet can make it heavier
    if (before === 0) best = Math.max(best, weighWindow())
  }
  return best
}
