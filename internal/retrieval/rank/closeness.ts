// How close together the words of a question are in a passage.

/**
 * Size of a window in characters. Words within one window are about the same subject, as in two sentences or
 * a few lines of a program.
 */
const windowChars = 240

/** Largest number of places that are stored per passage. */
const maxPlaces = 160

/**
 * Places of terms in a passage, as pairs of numbers: the character, and the term with a flag for synonyms.
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
 * Returns the highest weight of the terms within one window of the passage. `known` contains the weights of
 * terms in titles, which count in every window.
 */
export function weighClosest(
  places: TermPlaces,
  weights: readonly number[],
  known: ReadonlyMap<number, number>,
  synonymWorth: number = synonymShare,
): number {
  const worthOf = (at: number) => {
    const code = places[at + 1] as number
    return { term: code >> 1, share: code % 2 === 1 ? synonymWorth : 1 }
  }
  let base = 0
  for (const [term, share] of known) base += (weights[term] ?? 0) * share
  let best = base
  for (let start = 0; start < places.length; start += 2) {
    const held = new Map(known)
    let sum = base
    const end = (places[start] as number) + windowChars
    for (let at = start; at < places.length && (places[at] as number) <= end; at += 2) {
      const { term, share } = worthOf(at)
      const before = held.get(term) ?? 0
      if (share <= before) continue
      held.set(term, share)
      sum += (share - before) * (weights[term] ?? 0)
    }
    if (sum > best) best = sum
  }
  return best
}
