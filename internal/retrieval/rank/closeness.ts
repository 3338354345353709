// How near to each other the words of a question stand in a passage.

/** Words within this many characters speak of one thing: two sentences, or a few lines of a program. */
const windowChars = 240

/** Further places of one passage are not kept. */
const maxPlaces = 160

/** Where terms stand in a passage, in pairs: the character, and the term with whether it is a synonym. */
export type TermPlaces = Uint16Array

/** Collects the places of one passage, in the order of its characters. */
export function createPlaceList() {
  const list: number[] = []
  return {
    add(at: number, term: number, weight: number): void {
      if (list.length < 2 * maxPlaces) list.push(Math.min(at, 0xffff), 2 * term + (weight < 1 ? 1 : 0))
    },
    close: (): TermPlaces => Uint16Array.from(list),
  }
}

/** What a synonym is worth of the word itself. */
const synonymShare = 0.5

/**
 * The most weight that stands within one window of the passage; `known` holds what each term counts
 * already wherever the window stands, for the titles above it.
 */
export function weighClosest(
  places: TermPlaces,
  weights: readonly number[],
  known: ReadonlyMap<number, number>,
): number {
  const worthOf = (at: number) => {
    const code = places[at + 1] as number
    return { term: code >> 1, share: code % 2 === 1 ? synonymShare : 1 }
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
